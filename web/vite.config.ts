import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { installablePlugin } from './pwa/installable-plugin.ts'

// Excludes the parts that use the network, which are loaded with the screens that need them.
const stableCode =
  /node_modules[\\/](react|react-dom|scheduler|@tanstack)[\\/](?!.*(Observer|useMutation|use\w*Quer))/

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  plugins: [react(), preloadTextFont(), installablePlugin()],
  build: {
    outDir: fileURLToPath(new URL('../dist/web', import.meta.url)),
    emptyOutDir: true,
    // Lists the files of each screen, for prefetching from server-rendered pages.
    manifest: true,
    // Inlined `data:` URLs would need exceptions in the content security policy.
    assetsInlineLimit: 0,
    // Code that rarely changes keeps its hash when a screen changes, so that returning visitors
    // download only the changed code.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'frame', test: stableCode }] } } },
  },
})

/**
 * Preloads the body font with the page instead of after the style sheet, so that the text does not
 * change late.
 */
function preloadTextFont(): Plugin {
  return {
    name: 'preload-text-font',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle }) {
        const font = Object.keys(bundle ?? {}).find((name) => /source-sans-3-english.*woff2$/.test(name))
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
