import { readFile } from 'node:fs/promises'
import type { LandingPageData } from '@keyturn/contract/shared/pages.ts'
import type { FastifyBaseLogger } from 'fastify'
import { z } from 'zod'
import samples from './sample-testimonials.json' with { type: 'json' }

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
 * Reads testimonials from the operator's file. Without a file, returns labeled samples, or none in
 * production (R-everywhere-37).
 */
export async function readTestimonials(
  from: From,
  log: FastifyBaseLogger,
): Promise<LandingPageData['testimonials']> {
  if (from.testimonialsFile) return { isSample: false, said: await readFrom(from.testimonialsFile, log) }
  return { isSample: true, said: from.production ? [] : samples }
}

/**
 * Not cached, so that the operator can edit the file without a restart. An invalid file yields [].
 */
async function readFrom(file: string, log: FastifyBaseLogger) {
  try {
    return testimonials.parse(JSON.parse(await readFile(file, 'utf8')))
  } catch (error) {
    log.error({ err: error, file }, 'the testimonials could not be read')
    return []
  }
}
