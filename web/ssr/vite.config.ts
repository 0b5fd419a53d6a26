import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { createClassNamer } from './class-names.ts'

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** Two bundles for the server; the pages of each have a script. */
const bundles: Record<string, { input: string; name: string }> = {
  pages: { input: './render.tsx', name: 'rendered' },
  forms: { input: './forms.tsx', name: 'forms' },
}
const scripts: Record<string, { input: string; name: string; isSplit?: boolean; isImported?: boolean }> = {
  'pages-script': { input: './script/main.ts', name: 'rendered' },
  // Most of it is the check of signed files, which is loaded with the first file.
  'verify-script': { input: './script/verify.ts', name: 'verify-page', isSplit: true },
  // Imported by the script of /login at its address, once a passkey may be used.
  'passkeys-script': { input: './script/passkeys.ts', name: 'passkeys', isImported: true },
  'forms-script': { input: './script/forms.ts', name: 'forms' },
}

/** The bundle itself reads its style sheet, which no browser requests. */
const bundleOf = ({ input, name }: { input: string; name: string }) => ({
  ssr: at(input),
  ssrEmitAssets: true,
  cssCodeSplit: false,
  target: 'node20.19',
  rolldownOptions: {
    output: {
      assetFileNames: ({ names }: { names: string[] }) =>
        names.some((one) => one.endsWith('.css')) ? `assets/${name}.css` : 'assets/[name]-[hash][extname]',
    },
  },
})

const scriptOf = ({ input, name, isSplit = false, isImported = false }: (typeof scripts)[string]) => ({
  modulePreload: false,
  rolldownOptions: {
    input: at(input),
    preserveEntrySignatures: isImported ? ('strict' as const) : (false as const),
    // Without splitting, all imports run in order, including the dynamic ones.
    output: { entryFileNames: `assets/${name}-[hash].js`, codeSplitting: isSplit },
  },
})

/** Builds the server-rendered pages: each `--mode` is one build, all into one folder. */
export default defineConfig(({ mode }) => ({
  root: at('..'),
  publicDir: false,
  plugins: [react()],
  css: { modules: { generateScopedName: createClassNamer(at('..')) } },
  // Otherwise React's slow development warnings would run on each request.
  define: { 'process.env.NODE_ENV': '"production"' },
  ssr: { target: 'node', noExternal: true },
  build: {
    outDir: at('../../dist/ssr'),
    emptyOutDir: mode === 'pages',
    assetsInlineLimit: 0,
    minify: true,
    ...(bundles[mode] && bundleOf(bundles[mode])),
    ...(scripts[mode] && scriptOf(scripts[mode])),
  },
}))
