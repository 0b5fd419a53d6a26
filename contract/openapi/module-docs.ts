import type { z } from 'zod'

/** What people read about an endpoint, in Markdown. */
export type OperationDocs = {
  /** At most eight words, as in a table of contents. */
  summary: string
  description?: string
  /** A body that makes sense; without it, one is made from the examples of the fields. */
  example?: unknown
  /** Serves only our own pages and processes, so integrators do not read about it. */
  isInternal?: true
}

/**
 * A schema under its name, with sentences about fields that mean something special in it, and
 * examples where those of `field-docs.ts` mislead.
 */
export type SchemaDocs = {
  schema: z.ZodType
  description?: string
  fields?: Record<string, string | readonly [description: string, example: unknown]>
}

/** A request that Keyturn sends to a dealer's system. */
export type WebhookDocs = OperationDocs & { body: z.ZodType }

/** The documentation of one module's part of the API. */
export type ModuleDocs = {
  /** The heading of the module's operations, and a sentence about it. */
  tag: { name: string; description: string }
  /** By `METHOD /path`; a text is the summary. */
  operations: Record<string, string | OperationDocs>
  schemas?: Record<string, z.ZodType | SchemaDocs>
  webhooks?: Record<string, WebhookDocs>
}
