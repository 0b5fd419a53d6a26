import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'

/** `photo` replaces the page's first picture, in its original size. */
type Page = { html: string; photo?: Buffer }

/**
 * Serves minimal versions of the pages, without scripts or fonts and with a one-line style sheet.
 */
export async function serveStatic(pages: Record<string, Page>) {
  const compressed = new Map(Object.entries(pages).map(([path, page]) => [path, gzipSync(stripPage(page))]))
  const photos = new Map(Object.entries(pages).map(([path, { photo }]) => [`${path}.jpg`, photo]))
  const server = createServer(({ url = '' }, response) => {
    const page = compressed.get(url)
    const photo = photos.get(url)
    if (photo) return response.writeHead(200, { 'content-type': 'image/jpeg' }).end(photo)
    response.writeHead(page ? 200 : 404, {
      'content-type': 'text/html; charset=utf-8',
      'content-encoding': 'gzip',
    })
    response.end(page)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://127.0.0.1:${port}`,
    close: async () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

const style =
  'body{font:17px/1.5 sans-serif;max-width:60rem;margin:auto;padding:1rem}svg{max-width:100%}img{max-width:100%;height:auto}'

const stripPage = ({ html, photo }: Page): string =>
  html
    .replace(/<(script|style)\b.*?<\/\1>/gs, '')
    .replace(/<picture\b.*?<\/picture>/s, photo ? '<!--photo-->' : '')
    .replace(/<(link|img|source) [^>]*>/g, '')
    .replace(/ (class|data-[\w-]+)="[^"]*"/g, '')
    .replace('<!--photo-->', '<img src="/car.jpg" width="1200" height="800" alt="">')
    .replace('</head>', `<link rel="icon" href="data:,"><style>${style}</style></head>`)
