import type { JsonSchema, OpenApiDocument } from './document.ts'
import { fieldDocs } from './field-docs.ts'

/**
 * Makes an example of a schema from the examples of its fields: of what is required, and with the
 * first of several forms (R-everywhere-67).
 */
export function exampleOf(document: OpenApiDocument, schema: JsonSchema, field?: string): unknown {
  const own = schema.examples?.[0] ?? (field === undefined ? undefined : fieldDocs[field]?.[1])
  const target = resolveSchema(document, schema)
  if (own !== undefined && fits(own, document, target)) return own
  const { const: only, enum: choice, anyOf, oneOf, allOf, default: standard } = target
  if (only !== undefined) return only
  if (choice) return choice[0]
  if (allOf) return Object.assign({}, ...allOf.map((part) => exampleOf(document, part)))
  const forms = anyOf ?? oneOf
  if (forms) return exampleOf(document, forms.find((form) => !isNull(form) && form.const !== '') ?? {}, field)
  if (standard !== undefined && standard !== null) return standard
  return structureOf(document, target, field)
}

/** Follows a reference to a named schema. */
const resolveSchema = (document: OpenApiDocument, schema: JsonSchema): JsonSchema =>
  schema.$ref === undefined
    ? schema
    : resolveSchema(document, document.components.schemas[nameOf(schema.$ref)] ?? {})

const nameOf = (reference: string): string => reference.split('/').at(-1) ?? ''

const isNull = ({ type }: JsonSchema): boolean => type === 'null'
const typeOf = ({ type }: JsonSchema): string | undefined =>
  Array.isArray(type) ? type.find((name) => name !== 'null') : type

function structureOf(document: OpenApiDocument, schema: JsonSchema, field?: string): unknown {
  switch (typeOf(schema)) {
    case 'object': {
      const required = new Set(schema.required ?? [])
      const fields = Object.entries(schema.properties ?? {}).filter(([name]) => required.has(name))
      return Object.fromEntries(fields.map(([name, inner]) => [name, exampleOf(document, inner, name)]))
    }
    case 'array':
      return schema.items ? [exampleOf(document, schema.items, field)] : []
    case 'string':
      return textOf(schema)
    case 'boolean':
      return true
    case 'integer':
    case 'number':
      return schema.minimum ?? 1
    default:
      return null
  }
}

function textOf({ format, pattern = '' }: JsonSchema): string {
  if (format === 'date-time') return '2026-11-27T15:04:05.000Z'
  if (format === 'date') return '2026-11-27'
  if (pattern.includes('[0-9a-f]{24}')) return '6566b0e2a1f4c3d2e1b0a998'
  if (pattern.includes('[0-9a-f]{64}'))
    return '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'
  if (pattern.startsWith('^(?:M')) return 'M12 80l3 4 5 -2'
  // Bytes in base64url.
  if (pattern === '^[A-Za-z0-9_-]*$') return 'Zk3vT9bQ1mX7'
  return '…'
}

/** The example of a field is of one type, but fields of the same name may have another. */
function fits(value: unknown, document: OpenApiDocument, schema: JsonSchema): boolean {
  const { anyOf, oneOf, enum: choice, const: only, pattern, format } = schema
  const forms = anyOf ?? oneOf
  if (forms) return forms.some((form) => fits(value, document, resolveSchema(document, form)))
  if (only !== undefined) return only === value
  if (choice) return choice.includes(value)
  const type = typeOf(schema)
  if (type === 'integer') return Number.isInteger(value)
  if (type === 'array')
    return (
      Array.isArray(value) &&
      value.every((one) => fits(one, document, resolveSchema(document, schema.items ?? {})))
    )
  if (typeof value !== type) return false
  if (typeof value !== 'string') return true
  if (format === 'date-time' || format === 'date')
    return /^\d{4}-\d\d-\d\d/.test(value) && (format === 'date') === (value.length === 10)
  return pattern === undefined || new RegExp(pattern, 'u').test(value)
}
