import { readFile } from 'node:fs/promises'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { z } from 'zod'
import samples from './sample-testimonials.json' with { type: 'json' }

/** Of the landing page, whose own code asks for it after everything else. */
export const testimonialsPath = '/testimonials.json'

const testimonials = z
  .array(
    z.object({
      name: z.string().min(1).max(100),
      stars: z.int().min(1).max(5),
      text: z.string().min(1).max(500),
    }),
  )
  .max(12)

type From = { testimonialsFile: string | null; production: boolean }

/**
 * What people say of the product, from the operator's file. Nobody has said anything yet where there is none: our own
 * words are labelled as samples, and left out in production (R-everywhere-37).
 */
export function serveTestimonials(app: FastifyInstance, from: From): void {
  app.get(testimonialsPath, { exposeHeadRoute: false }, async (request) => {
    if (from.testimonialsFile) {
      return { isSample: false, said: await readTestimonials(from.testimonialsFile, request.log) }
    }
    return { isSample: true, said: from.production ? [] : samples }
  })
}

/** Anew each time, so that the operator can change it without a restart. An unfit file leaves the section out. */
async function readTestimonials(file: string, log: FastifyBaseLogger) {
  try {
    return testimonials.parse(JSON.parse(await readFile(file, 'utf8')))
  } catch (error) {
    log.error({ err: error, file }, 'the testimonials could not be read')
    return []
  }
}
