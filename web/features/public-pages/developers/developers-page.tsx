import type { OpenApiDocument } from '@keyturn/contract/openapi/document.ts'
import { exampleOf } from '@keyturn/contract/openapi/example-of.ts'
import { type IntroductionPart, introduction } from '@keyturn/contract/openapi/introduction.ts'
import { Page } from '../../../components/layout/page.tsx'
import { DocumentTextLink, FullPageBackLink } from '../../../components/navigation/document-link.tsx'
import { pageTexts } from '../page-texts.ts'
import { ServerPageFrame } from '../server-page-frame.tsx'
import classes from './developers-page.module.css'
import { developersTexts as texts } from './developers-texts.ts'
import { FoldedSection } from './folded-section.tsx'
import {
  codesOf,
  type ListedOperation,
  OperationSection,
  toJson,
  WebhookSection,
} from './operation-section.tsx'
import { Code, Prose } from './prose.tsx'
import { SchemaTable } from './schema-table.tsx'

/** The documentation of the API, without what only administrators and our own processes call (R-everywhere-68). */
export function DevelopersPage({ document }: { document: OpenApiDocument }) {
  const operations = listOperations(document)
  const modules = document.tags.map((tag) => ({
    ...tag,
    id: tag.name.toLowerCase(),
    operations: operations.filter(({ operation }) => operation.tags.includes(tag.name)),
    webhooks: Object.entries(document.webhooks).filter(([, { post }]) => post.tags.includes(tag.name)),
  }))
  const common = commonCodes(document, operations)
  return (
    <ServerPageFrame>
      <Page
        title={texts.title}
        lead={texts.lead}
        back={
          <FullPageBackLink href="/" data-back>
            {pageTexts.back}
          </FullPageBackLink>
        }
      >
        <p>
          <DocumentTextLink href="/openapi.json">{texts.document}</DocumentTextLink>
        </p>
        <Contents sections={[...introduction, ...modules.map(({ id, name }) => ({ id, title: name }))]} />
        {introduction.map((part) => (
          <Introduction key={part.id} part={part} />
        ))}
        {modules.map(({ id, name, description, operations: own, webhooks }) => (
          <section key={id} className={classes.module} aria-labelledby={id}>
            <h2 id={id} className={classes.title}>
              {name}
            </h2>
            <p>{description}</p>
            {own.map((one) => (
              <OperationSection
                key={one.operation.operationId}
                {...one}
                document={document}
                common={common}
              />
            ))}
            {webhooks.map(([hook, { post }]) => (
              <WebhookSection key={hook} name={hook} webhook={post} document={document} />
            ))}
          </section>
        ))}
        <Schemas document={document} operations={operations} />
        <ErrorCodes document={document} operations={operations} />
      </Page>
    </ServerPageFrame>
  )
}

function listOperations({ paths }: OpenApiDocument): ListedOperation[] {
  return Object.entries(paths)
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
    )
    .filter(({ operation }) => !operation['x-internal'])
}

/** Codes that nine of ten operations share are explained once. */
function commonCodes(document: OpenApiDocument, operations: readonly ListedOperation[]): Set<string> {
  const counts = new Map<string, number>()
  for (const { operation } of operations)
    for (const { code } of codesOf(document, operation)) counts.set(code, (counts.get(code) ?? 0) + 1)
  const technical = ['CsrfRejected', 'RequestTimeout', 'PayloadTooLarge', 'UnsupportedMediaType']
  const isCommon = (code: string) => (counts.get(code) ?? 0) > operations.length * 0.9
  return new Set([...counts.keys()].filter((code) => isCommon(code) || technical.includes(code)))
}

const Contents = ({ sections }: { sections: readonly { id: string; title: string }[] }) => (
  <nav aria-label={texts.contents} className={classes.contents} data-print="never">
    <ul>
      {[...sections, { id: 'schemas', title: texts.schemas }, { id: 'codes', title: texts.codes }].map(
        ({ id, title }) => (
          <li key={id}>
            <a href={`#${id}`}>{title}</a>
          </li>
        ),
      )}
    </ul>
  </nav>
)

const Introduction = ({ part: { id, title, paragraphs, example } }: { part: IntroductionPart }) => (
  <section aria-labelledby={id} className={classes.introduction}>
    <h2 id={id} className={classes.title}>
      {title}
    </h2>
    {paragraphs.map((text) => (
      <p key={text}>
        <Prose text={text} />
      </p>
    ))}
    {example && <Code text={example} />}
  </section>
)

function Schemas({
  document,
  operations,
}: {
  document: OpenApiDocument
  operations: readonly ListedOperation[]
}) {
  const used = usedSchemas(document, operations)
  return (
    <section className={classes.module} aria-labelledby="schemas">
      <h2 id="schemas" className={classes.title}>
        {texts.schemas}
      </h2>
      <p>{texts.schemasLead}</p>
      {Object.entries(document.components.schemas)
        .filter(([name]) => used.has(name))
        .map(([name, schema]) => (
          <FoldedSection
            key={name}
            id={`schema-${name}`}
            title={name}
            subtitle={schema.description && <Prose text={schema.description} />}
          >
            <SchemaTable schema={schema} />
            {schema.properties && <Code title={texts.example} text={toJson(exampleOf(document, schema))} />}
          </FoldedSection>
        ))}
    </section>
  )
}

/** Names of the schemas that the listed operations refer to, also through other schemas. */
function usedSchemas(document: OpenApiDocument, operations: readonly ListedOperation[]): Set<string> {
  const used = new Set<string>(['Error', 'FieldError'])
  const visit = (part: unknown) => {
    for (const [, name = ''] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (used.has(name)) continue
      used.add(name)
      visit(document.components.schemas[name])
    }
  }
  visit([operations, document.webhooks])
  return used
}

const ErrorCodes = ({
  document,
  operations,
}: {
  document: OpenApiDocument
  operations: readonly ListedOperation[]
}) => {
  const byStatus = codesByStatus(document, operations)
  return (
    <section className={classes.module} aria-labelledby="codes">
      <h2 id="codes" className={classes.title}>
        {texts.codes}
      </h2>
      <p>{texts.codesLead}</p>
      {[...byStatus].map(([status, codes]) => (
        <FoldedSection key={status} id={`status-${status}`} title={status} subtitle={codes.join(', ')}>
          <dl className={classes.errors}>
            {codes.map((code) => (
              <div key={code} id={`error-${code}`}>
                <dt>
                  <code>{code}</code>
                </dt>
                <dd>{messageOf(document, code)}</dd>
              </div>
            ))}
          </dl>
        </FoldedSection>
      ))}
    </section>
  )
}

function codesByStatus(document: OpenApiDocument, operations: readonly ListedOperation[]) {
  const found = operations.flatMap(({ operation }) => codesOf(document, operation))
  const byStatus = new Map<string, string[]>()
  for (const status of [...new Set(found.map((one) => one.status))].sort()) {
    const codes = found.filter((one) => one.status === status).map(({ code }) => code)
    byStatus.set(status, [...new Set(codes)].sort())
  }
  return byStatus
}

const messageOf = (document: OpenApiDocument, code: string): string | undefined =>
  (document.components.examples[code]?.value as { message: string } | undefined)?.message
