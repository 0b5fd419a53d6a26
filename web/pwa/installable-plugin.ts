import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import type { Plugin } from 'vite'
import { texts } from '../components/texts.ts'
import { darkColors, lightColors } from '../components/theme/base-colors.ts'

const faviconSvg = readFileSync(fileURLToPath(new URL('../public/favicon.svg', import.meta.url)), 'utf8')

/** Scale of the drawing. Values below one leave a margin, because phones crop icons. */
const icons = [
  { file: 'icon-192.png', size: 192, share: 1, purpose: 'any' },
  { file: 'icon-512.png', size: 512, share: 1, purpose: 'any' },
  { file: 'icon-maskable-512.png', size: 512, share: 0.85, purpose: 'maskable' },
  { file: 'apple-touch-icon.png', size: 180, share: 0.9, purpose: null },
] as const

/** Adds a manifest, icons made from one drawing, and the links to both. */
export function installablePlugin(): Plugin {
  return {
    name: 'installable',
    async generateBundle() {
      for (const icon of icons)
        this.emitFile({ type: 'asset', fileName: icon.file, source: await renderIcon(icon) })
      this.emitFile({ type: 'asset', fileName: 'app.webmanifest', source: JSON.stringify(manifest, null, 2) })
    },
    transformIndexHtml: () => [
      { tag: 'link', injectTo: 'head', attrs: { rel: 'manifest', href: '/app.webmanifest' } },
      { tag: 'link', injectTo: 'head', attrs: { rel: 'apple-touch-icon', href: '/apple-touch-icon.png' } },
      { tag: 'meta', injectTo: 'head', attrs: themeColor('light', lightColors.ground) },
      { tag: 'meta', injectTo: 'head', attrs: themeColor('dark', darkColors.ground) },
    ],
  }
}

const manifest = {
  id: '/home',
  name: texts.product,
  short_name: texts.product,
  description: texts.productDescription,
  lang: 'en',
  start_url: '/home',
  scope: '/',
  display: 'standalone',
  background_color: lightColors.ground,
  theme_color: lightColors.ground,
  icons: icons.flatMap(({ file, size, purpose }) =>
    purpose ? [{ src: `/${file}`, sizes: `${size}x${size}`, type: 'image/png', purpose }] : [],
  ),
}

const themeColor = (scheme: string, content: string) => ({
  name: 'theme-color',
  content,
  media: `(prefers-color-scheme: ${scheme})`,
})

async function renderIcon({ size, share }: (typeof icons)[number]): Promise<Buffer> {
  const inner = Math.round(size * share)
  // Rasterized at the final size instead of enlarged from the nominal 32 pixels.
  const input = await sharp(Buffer.from(faviconSvg), { density: (72 * inner) / 32 })
    .resize(inner)
    .png()
    .toBuffer()
  const background = share < 1 ? iconBackground : 'transparent'
  const canvas = { width: size, height: size, channels: 4, background } as const
  return sharp({ create: canvas }).composite([{ input }]).png({ compressionLevel: 9 }).toBuffer()
}

const [, iconBackground = ''] = /fill="(#\w+)"/.exec(faviconSvg) ?? []
