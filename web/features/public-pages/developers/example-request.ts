import type { OpenApiDocument, Operation, Parameter } from '@keyturn/contract/openapi/document.ts'
import { exampleOf } from '@keyturn/contract/openapi/example-of.ts'

type Request = { method: string; path: string; operation: Operation }

/** Writes an example of a request as a command for a shell. */
export function curlOf(document: OpenApiDocument, { method, path, operation }: Request): string {
  const parameters = operation.parameters.filter((one): one is Parameter => 'name' in one)
  const exampleFor = (one: Parameter): string =>
    encodeURIComponent(String(one.example ?? exampleOf(document, one.schema, one.name)))
  const filled = parameters
    .filter(({ in: where }) => where === 'path')
    .reduce((url, one) => url.replace(`{${one.name}}`, exampleFor(one)), path)
  const query = parameters
    .filter(({ in: where, required }) => where === 'query' && required)
    .map((one) => `${one.name}=${exampleFor(one)}`)
  const search = query.length > 0 ? `?${query.join('&')}` : ''
  return [
    `curl${method === 'get' ? '' : ` -X ${method.toUpperCase()}`} 'https://keyturn.example${filled}${search}'`,
    ...headersOf(operation).map((header) => `-H '${header}'`),
    ...bodyOf(document, operation),
  ].join(' \\\n  ')
}

function headersOf(operation: Operation): string[] {
  const { 'x-token-scope': scope, 'x-callers': callers } = operation
  const isSigned = callers.includes('partner')
  const needsSession = !scope && !callers.includes('anyone') && !isSigned
  const [media] = Object.keys(operation.requestBody?.content ?? {})
  return [
    ...(scope ? ['Authorization: Bearer YOUR_TOKEN'] : []),
    ...(needsSession ? ['Cookie: __Host-at=YOUR_SESSION'] : []),
    ...(isSigned
      ? ['webhook-id: YOUR_ID', 'webhook-timestamp: SECONDS', 'webhook-signature: v1,SIGNATURE']
      : []),
    ...(operation['x-idempotent'] ? ['Idempotency-Key: YOUR_KEY'] : []),
    ...(media ? [`Content-Type: ${media}`] : []),
  ]
}

function bodyOf(document: OpenApiDocument, { requestBody }: Operation): string[] {
  if (!requestBody) return []
  const json = requestBody.content['application/json']
  if (!json) return ['--data-binary @photo.jpg']
  const example = json.example ?? exampleOf(document, json.schema ?? {})
  return [`-d '${JSON.stringify(example, null, 2).replaceAll("'", "'\\''")}'`]
}
