// Bundles the pages into the Python package: `node build.mjs [--watch]`; `--tests` bundles the unit tests instead.
import { copyFile, mkdir, readdir, rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import path from 'node:path';
import * as esbuild from 'esbuild';

const here = path.dirname(fileURLToPath(import.meta.url));
const target = path.join(here, '../src/philidor/frontends/web/static');
const tests = path.join(here, 'build/tests');

const banner = `/*! philidor's web board, GPL-3.0-or-later. Includes chessground (Lichess, GPL-3.0-or-later) \
and chess pieces by Colin M. L. Burnett (GPL-2.0-or-later). */`;

const shared = { absWorkingDir: here, bundle: true, logLevel: 'warning', target: 'es2022' };

const pages = {
  ...shared,
  entryPoints: { app: 'src/main.ts', theme: 'src/theme.ts', style: 'src/styles/main.css' },
  outdir: target,
  format: 'iife',
  minify: true,
  banner: { js: banner, css: banner },
};

async function buildPages(watch) {
  await rm(target, { recursive: true, force: true });
  await mkdir(target, { recursive: true });
  for (const name of await readdir(path.join(here, 'public'))) {
    await copyFile(path.join(here, 'public', name), path.join(target, name));
  }
  if (watch) await (await esbuild.context(pages)).watch();
  else await esbuild.build(pages);
}

async function buildTests() {
  await rm(tests, { recursive: true, force: true });
  const names = (await readdir(path.join(here, 'tests'))).filter((name) => name.endsWith('.test.ts'));
  const entryPoints = names.map((name) => `tests/${name}`);
  await esbuild.build({ ...shared, entryPoints, outdir: tests, format: 'esm', platform: 'node', sourcemap: 'inline' });
}

const option = process.argv[2];
if (option === '--tests') await buildTests();
else await buildPages(option === '--watch');
