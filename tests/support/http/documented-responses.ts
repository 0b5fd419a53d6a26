import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { apiDocs } from '../../../contract/api-docs.ts'
import { allEndpoints } from '../../../contract/endpoints.ts'
import { allErrors } from '../../../contract/errors.ts'
import { buildOpenApi, shapeOf, templatesOf } from '../../../contract/openapi/build-openapi.ts'
import type { OpenApiDocument } from '../../../contract/openapi/document.ts'
import type { Endpoint } from '../../../contract/shared/endpoint.ts'

type Received = { status: number; headers: Record<string, unknown>; body: string }

/**
 * Throws if the OpenAPI document does not describe this response: its status, its media type, or
 * the JSON in it (R-everywhere-66). The validator knows nothing of zod.
 */
export function checkDocumented(call: Pick<Endpoint, 'name' | 'method' | 'path'>, received: Received): void {
  const { status, headers, body } = received
  if (status === 304) return
  const fault = findFault(call, status, String(headers['content-type'] ?? ''), body)
  if (fault) throw new Error(`${call.name} answered ${status}, against the OpenAPI document: ${fault}`)
}

function findFault(call: Pick<Endpoint, 'method' | 'path'>, status: number, type: string, body: string) {
  const { document, ajv } = loadDocument()
  const path = templates.get(shapeOf(call)) ?? call.path
  const method = call.method.toLowerCase()
  const operation = document.paths[path]?.[method]
  // Tests of routes that are no endpoints.
  if (!operation) return null
  const listed = operation.responses[status]
  if (!listed) return 'the status is not listed'
  const pointer =
    '$ref' in listed ? listed.$ref : pointerTo('paths', path, method, 'responses', String(status))
  const response =
    '$ref' in listed ? document.components.responses[listed.$ref.split('/').at(-1) ?? ''] : listed
  const media = Object.keys(response?.content ?? {}).find((known) => mediaOf(known) === mediaOf(type))
  if (media === undefined) return `the media type ${type || 'none'} is not listed`
  if (media !== 'application/json') return null
  const validate = compile(ajv, `${pointer}/content/application~1json/schema`)
  return validate(JSON.parse(body))
    ? null
    : ajv.errorsText(validate.errors?.slice(0, 5), { dataVar: 'the body' }) + unknownFields(validate)
}

const mediaOf = (type: string): string => (type.split(';')[0] ?? '').trim().toLowerCase()

/** The message of ajv does not name the field. */
const unknownFields = ({ errors }: ValidateFunction): string =>
  (errors ?? [])
    .flatMap(({ params }) => (params.additionalProperty ? ` (${params.additionalProperty})` : []))
    .join('')

const pointerTo = (...parts: string[]): string =>
  `#/${parts.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')}`

const templates = templatesOf(allEndpoints)
const compiled = new Map<string, ValidateFunction>()

function compile(ajv: Ajv2020, pointer: string): ValidateFunction {
  const known = compiled.get(pointer) ?? ajv.compile({ $ref: `openapi${pointer}` })
  compiled.set(pointer, known)
  return known
}

let loaded: { document: OpenApiDocument; ajv: Ajv2020 } | undefined

function loadDocument() {
  if (loaded) return loaded
  const document = buildOpenApi({ calls: allEndpoints, errors: allErrors, docs: apiDocs, version: '0' })
  const ajv = new Ajv2020({ strict: false, validateSchema: false, multipleOfPrecision: 6 })
  formats.default(ajv)
  ajv.addSchema(document, 'openapi')
  loaded = { document, ajv }
  return loaded
}
