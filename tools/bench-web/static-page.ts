import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'

/** The least that a page with these words can be: no script, no font, and a style sheet of one line. */
export async function serveStatic(pages: Record<string, string>) {
  const packed = new Map(Object.entries(pages).map(([path, html]) => [path, gzipSync(bare(html))]))
  const server = createServer(({ url = '' }, response) => {
    const page = packed.get(url)
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

const style = 'body{font:17px/1.5 sans-serif;max-width:60rem;margin:auto;padding:1rem}svg{max-width:100%}'

const bare = (html: string): string =>
  html
    .replace(/<(script|style)\b.*?<\/\1>/gs, '')
    .replace(/<(link|img) [^>]*>/g, '')
    .replace(/ (class|data-[\w-]+)="[^"]*"/g, '')
    .replace('</head>', `<link rel="icon" href="data:,"><style>${style}</style></head>`)
