import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

// Without the parts that ask the server and watch the answer: the landing page asks for nothing.
const stableCode =
  /node_modules[\\/](react|react-dom|scheduler|@tanstack)[\\/](?!.*(Observer|useMutation|use\w*Quer))/

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  plugins: [react(), preloadTextFont()],
  build: {
    outDir: fileURLToPath(new URL('../dist/web', import.meta.url)),
    emptyOutDir: true,
    // Inlined data: addresses would need holes in the content security policy.
    assetsInlineLimit: 0,
    // What changes rarely keeps its hash when a screen changes: returning people download only our own code.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'frame', test: stableCode }] } } },
  },
})

/** The text face is asked for with the page, not after the style sheet: no late change of letters. */
function preloadTextFont(): Plugin {
  return {
    name: 'preload-text-font',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle }) {
        const font = Object.keys(bundle ?? {}).find((name) =>
          /source-sans-3-latin-wght-normal.*woff2$/.test(name),
        )
        if (!font) return []
        return [
          {
            tag: 'link',
            injectTo: 'head',
            attrs: { rel: 'preload', as: 'font', type: 'font/woff2', href: `/${font}`, crossorigin: '' },
          },
        ]
      },
    },
  }
}
