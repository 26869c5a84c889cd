// Whether pieces may glide.
import { settings } from '../settings';

/** Yes, unless the user has turned it off here or asked the system for less motion. */
export function wantsMotion(): boolean {
  return settings().animation && !matchMedia('(prefers-reduced-motion: reduce)').matches;
}
