import { type IncomingMessage, request as plain } from 'node:http'
import { request as secure } from 'node:https'
import { recordSecret } from '../support/secrets.ts'

type RequestOptions = { body?: object; file?: Buffer; headers?: Record<string, string> }
type Reply = { status: number; text: string; json: Record<string, unknown>; servedBy: string }
export type ProxyClient = {
  /** `port` selects a server directly, without the proxy. */
  send(method: string, path: string, sending?: RequestOptions, port?: number): Promise<Reply>
  stream(path: string): Promise<{ response: IncomingMessage; servedBy: string }>
}

export function createProxyClient(tlsPort: number): ProxyClient {
  const cookies = new Map<string, string>()
  function open(method: string, path: string, { body, file, headers }: RequestOptions = {}, at = 0) {
    const sent = file ?? (body ? Buffer.from(JSON.stringify(body)) : undefined)
    const options = {
      host: '127.0.0.1',
      port: at || tlsPort,
      path,
      method,
      agent: false,
      rejectUnauthorized: false,
      headers: {
        host: 'keyturn.example',
        'sec-fetch-site': 'same-origin',
        'sec-fetch-mode': 'cors',
        'sec-fetch-dest': 'empty',
        ...(sent && {
          'content-type': file ? 'image/jpeg' : 'application/json',
          'content-length': sent.length,
        }),
        ...(cookies.size > 0 && {
          cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        }),
        ...headers,
      },
    }
    return new Promise<IncomingMessage>((resolve, reject) => {
      const outgoing = at ? plain(options) : secure({ ...options, servername: 'keyturn.example' })
      outgoing.once('response', resolve).once('error', reject)
      outgoing.end(sent)
    })
  }
  return {
    async send(method, path, sending, at) {
      const response = await open(method, path, sending, at)
      for (const line of response.headers['set-cookie'] ?? []) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
        recordSecret(value)
        cookies.set(name, value)
      }
      const pieces: Buffer[] = []
      for await (const piece of response) pieces.push(piece)
      const text = Buffer.concat(pieces).toString()
      const isJson = /json/.test(response.headers['content-type'] ?? '')
      return {
        status: response.statusCode ?? 0,
        text,
        json: isJson ? JSON.parse(text) : {},
        servedBy: serverOf(response),
      }
    },
    async stream(path) {
      const response = await open('GET', path)
      return { response, servedBy: serverOf(response) }
    },
  }
}

/** The request id in a response names the process that sent it. */
const serverOf = ({ headers }: IncomingMessage): string =>
  String(headers['x-request-id'] ?? '').split('-')[0] ?? ''
