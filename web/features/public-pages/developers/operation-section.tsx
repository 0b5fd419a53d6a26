import type {
  JsonSchema,
  MediaTypes,
  OpenApiDocument,
  Operation,
  Parameter,
  Webhook,
} from '@keyturn/contract/openapi/document.ts'
import { exampleOf } from '@keyturn/contract/openapi/example-of.ts'
import classes from './developers-page.module.css'
import { developersTexts as texts } from './developers-texts.ts'
import { curlOf } from './example-request.ts'
import { FoldedSection } from './folded-section.tsx'
import { Code, Prose } from './prose.tsx'
import { FieldTable, SchemaTable } from './schema-table.tsx'

export type ListedOperation = { method: string; path: string; operation: Operation }
type Props = ListedOperation & {
  document: OpenApiDocument
  /** Codes that any operation may answer with. */
  common: ReadonlySet<string>
}

export function OperationSection({ method, path, operation, document, common }: Props) {
  const { operationId, summary, description, requestBody } = operation
  const json = requestBody?.content['application/json']
  const answer = answerOf(operation)
  return (
    <FoldedSection id={operationId} title={summary} subtitle={<Address method={method} path={path} />}>
      {description && (
        <p>
          <Prose text={description} />
        </p>
      )}
      <p className={classes.quiet}>{notesOf(operation).join(' · ')}</p>
      <Parameters operation={operation} />
      {requestBody && !json && (
        <Fields
          title={texts.body}
          note={`${texts.picture}: ${Object.keys(requestBody.content).join(', ')}`}
        />
      )}
      {json && <Fields title={texts.body} schema={json.schema} />}
      <Fields title={texts.answer} {...answer} />
      <Errors operation={operation} document={document} common={common} />
      <Code title={texts.request} text={curlOf(document, { method, path, operation })} />
      {answer.schema && !isNamed(answer.schema) && (
        <Code title={texts.exampleAnswer} text={toJson(exampleOf(document, answer.schema))} />
      )}
      <Permalink id={operationId} />
    </FoldedSection>
  )
}

const Address = ({ method, path }: Pick<ListedOperation, 'method' | 'path'>) => (
  <>
    <b>{method.toUpperCase()}</b> <code>{path}</code>
  </>
)

/** The name of an operation, as in the OpenAPI document, and its address to pass on. */
const Permalink = ({ id }: { id: string }) => (
  <p className={classes.quiet}>
    {texts.operationId} <a href={`#${id}`}>{id}</a>
  </p>
)

/** The example of a named schema is shown with the schema. */
const isNamed = ({ $ref, items }: JsonSchema): boolean => ($ref ?? items?.$ref) !== undefined

export const WebhookSection = ({
  name,
  webhook: { operationId, summary, description, requestBody },
  document,
}: {
  name: string
  webhook: Webhook
  document: OpenApiDocument
}) => {
  const { schema = {} } = requestBody?.content['application/json'] ?? {}
  return (
    <FoldedSection
      id={operationId}
      title={summary}
      subtitle={
        <>
          <b>{texts.webhook}</b> <code>{name}</code>
        </>
      }
    >
      {description && (
        <p>
          <Prose text={description} />
        </p>
      )}
      <Fields title={texts.body} schema={schema} />
      {!isNamed(schema) && <Code title={texts.request} text={toJson(exampleOf(document, schema))} />}
      <Permalink id={operationId} />
    </FoldedSection>
  )
}

function notesOf(operation: Operation): string[] {
  const { 'x-callers': callers, 'x-token-scope': scope, 'x-rate-limits': limits = [] } = operation
  const people = callers.filter((name) => !['anyone', 'administrator', 'operator', 'partner'].includes(name))
  const signIn = people.every((name) => name === 'wholesaler')
    ? texts.access.wholesaler
    : texts.access.session
  return [
    ...(scope ? [`${texts.access.token} ${scope}`] : []),
    ...(callers.includes('anyone') ? [texts.access.anyone] : []),
    ...(people.length > 0 ? [scope ? signIn : `${signIn}; ${texts.noToken}`] : []),
    ...(callers.includes('partner') ? [texts.access.partner] : []),
    ...limits.map(
      ({ max, withinSeconds, per }) =>
        `${texts.limits} ${texts.limit(max, withinSeconds, per === 'address')}`,
    ),
    ...(operation['x-idempotent'] ? [texts.idempotent] : []),
  ]
}

function Parameters({ operation }: { operation: Operation }) {
  const rows = operation.parameters
    .filter((parameter): parameter is Parameter => 'name' in parameter)
    .map(({ name, description, required, schema }) => ({
      name,
      schema: { ...schema, ...(description !== undefined && { description }) },
      isRequired: required,
    }))
  if (rows.length === 0) return null
  return (
    <>
      <h4 className={classes.part}>{texts.parameters}</h4>
      <FieldTable rows={rows} />
    </>
  )
}

const Fields = ({
  title,
  schema,
  note,
}: {
  title: string
  schema?: JsonSchema | undefined
  note?: string | undefined
}) => (
  <>
    <h4 className={classes.part}>{title}</h4>
    {note && <p>{note}</p>}
    {schema && <SchemaTable schema={schema} />}
  </>
)

function answerOf({ responses }: Operation): { schema?: JsonSchema | undefined; note?: string } {
  const [, done] = Object.entries(responses).find(([status]) => status.startsWith('2')) ?? []
  const content: MediaTypes = (done && 'content' in done && done.content) || {}
  const [media = ''] = Object.keys(content)
  return media === 'application/json' ? { schema: content[media]?.schema } : { note: media }
}

function Errors({ operation, document, common }: Pick<Props, 'operation' | 'document' | 'common'>) {
  const codes = codesOf(document, operation).filter(({ code }) => !common.has(code))
  if (codes.length === 0) return null
  return (
    <>
      <h4 className={classes.part}>{texts.errors}</h4>
      <ul className={classes.codes}>
        {codes.map(({ code, status }) => (
          <li key={code}>
            {status} <a href={`#error-${code}`}>{code}</a>
          </li>
        ))}
      </ul>
    </>
  )
}

/** The codes of an operation's errors, from the names of its shared responses. */
export function codesOf(document: OpenApiDocument, { responses }: Operation) {
  return Object.entries(responses).flatMap(([status, response]) => {
    if (!('$ref' in response)) return []
    const shared = document.components.responses[response.$ref.split('/').at(-1) ?? '']
    const { examples = {} } = shared?.content?.['application/json'] ?? {}
    return Object.keys(examples as object).map((code) => ({ code, status }))
  })
}

export const toJson = (value: unknown): string => JSON.stringify(value, null, 2)
