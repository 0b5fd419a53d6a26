import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** The style sheet is read by the bundle, and no browser asks for it. */
const nameOf = ({ names }: { names: string[] }) =>
  names.some((name) => name.endsWith('.css')) ? 'assets/style.css' : 'assets/[name]-[hash][extname]'

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/**
 * The pages that the server renders, in two builds into one folder: `--mode pages` is the bundle that the server loads,
 * with its style sheet and fonts; `--mode script` is the script of those pages.
 */
export default defineConfig(({ mode }) => ({
  root: at('..'),
  publicDir: false,
  plugins: [react()],
  // React's slow warnings belong to development, and a page is rendered with each request.
  define: { 'process.env.NODE_ENV': '"production"' },
  ssr: { target: 'node', noExternal: true },
  build: {
    outDir: at('../../dist/ssr'),
    assetsInlineLimit: 0,
    minify: true,
    ...(mode === 'pages'
      ? {
          ssr: at('./render.tsx'),
          ssrEmitAssets: true,
          cssCodeSplit: false,
          target: 'node20.19',
          emptyOutDir: true,
          rolldownOptions: { output: { assetFileNames: nameOf } },
        }
      : {
          emptyOutDir: false,
          modulePreload: false,
          rolldownOptions: {
            input: at('./script/main.ts'),
            output: { entryFileNames: 'assets/rendered-[hash].js' },
          },
        }),
  },
}))
