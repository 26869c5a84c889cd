"""Names the variants of the compiled core for this machine; runs before anything is built.

The import makes its own choice, from the CPU itself (src/philidor/_native/__init__.py). Where this script is not sure
what that will be, it asks for all variants rather than for the wrong one.
"""

import platform
from pathlib import Path

NEEDED_BY_V3 = {"avx2", "bmi1", "bmi2", "fma", "popcnt"}
AMD_FAMILY_OF_ZEN_3 = 0x19  # older ones have a slow PEXT


def this_machine() -> tuple[str, dict[str, str]]:
    """The architecture and what Linux says about the first CPU (nothing, elsewhere)."""
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="ascii", errors="replace")
    except OSError:
        text = ""
    pairs = (line.partition(":")[::2] for line in text.split("\n\n", 1)[0].splitlines())
    return platform.machine(), {key.strip(): value.strip() for key, value in pairs}


def runnable(machine: str, cpu: dict[str, str]) -> list[str]:
    """The variants that can be executed here, be they fast or not."""
    if machine not in ("x86_64", "AMD64"):
        return ["generic"]
    return ["v2", "v3"] if set(cpu.get("flags", "").split()) >= NEEDED_BY_V3 else ["v2"]


def needed(machine: str, cpu: dict[str, str]) -> list[str]:
    """The variants to build for use on this machine only."""
    vendor, family = cpu.get("vendor_id"), int(cpu.get("cpu family", "0"))
    has_fast_pext = vendor == "GenuineIntel" or (vendor == "AuthenticAMD" and family >= AMD_FAMILY_OF_ZEN_3)
    names = runnable(machine, cpu)
    return ["v3"] if has_fast_pext and "v3" in names else names


if __name__ == "__main__":
    print(";".join(needed(*this_machine())))
