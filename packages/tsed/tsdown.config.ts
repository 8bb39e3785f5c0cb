import { defineConfig } from 'tsdown';

export default defineConfig({
  entry: 'src/index.ts',
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  tsconfig: '../../tsconfig.build.json',
  fixedExtension: false,
  dts: true,
  sourcemap: true,
  clean: true,
});
