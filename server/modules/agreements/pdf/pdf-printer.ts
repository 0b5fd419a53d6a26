import type { Config } from '../../../config.ts'
import { createQueue, type QueueLimits } from '../../../platform/workers/queue.ts'
import { createThreadWorker, type ThreadOptions, workerUrl } from '../../../platform/workers/thread-worker.ts'
import { toSealSource } from '../seal/seal-source.ts'
import { createTimeStamper } from '../seal/time-stamper.ts'
import type { SignedAgreement } from './agreement-pdf.ts'
import type { Appendix } from './certificate-data.ts'

type Bytes = Uint8Array<ArrayBuffer>
export type PdfJob = { signed: SignedAgreement; appendix: Appendix }
export type PrintedPdf = { bytes: Bytes; certificate: Bytes }
type AgreementPrinter = {
  /**
   * Throws `Unavailable` when it cannot render in time, `TooManyRequests` when this reader has too
   * many pending requests, and `AgreementBeingDrawn` while the time stamp authority does not answer.
   */
  print(paper: PdfJob, reader: string): Promise<PrintedPdf>
  /** The time limit in ms while a person waits. */
  callerTimeoutMs: number
  close(): Promise<void>
}

/**
 * Renders and seals agreements in a worker thread. One takes 100 ms and would block every request.
 * The rendering libraries are loaded only in that thread.
 */
export function createPdfPrinter(
  config: Config,
  {
    onFault,
    script = defaultScript,
    findKey = async () => {},
    callerTimeoutMs = defaultCallerTimeoutMs,
    ...more
  }: Options,
): AgreementPrinter {
  const given = toSealSource(config)
  const worker = createThreadWorker<PdfJob, PrintedPdf>({ name: 'Printer', script, given, onFault })
  const queue = createQueue({ name: 'Drawing', worker, limits: { ...printerLimits, ...more }, onFault })
  const stamper = config.sealTsa && createTimeStamper(config.sealTsa, onFault)
  let found: Promise<void> | null = null
  return {
    async print(...asked) {
      stamper?.requireReady()
      found ??= findKey().catch((fault) => {
        found = null
        throw fault
      })
      await found
      const printed = await queue.ask(...asked)
      return stamper ? { ...printed, bytes: await stamper.stamp(printed.bytes) } : printed
    },
    callerTimeoutMs,
    close: queue.close,
  }
}

type Options = Partial<QueueLimits> &
  Pick<ThreadOptions, 'onFault'> & {
    script?: URL
    /** Stores the seal's key in the data folder before the first paper. */
    findKey?: () => Promise<void>
    callerTimeoutMs?: number
  }

/** Shorter than the timeouts of the app's pages and of dealers' systems. */
export const defaultCallerTimeoutMs = 19_000

export const printerLimits = {
  places: 1,
  // The number a slow machine renders in time; more would only wait to fail.
  maxWaiting: 15,
  // A person reads one document at a time, sometimes in two tabs. No caller may occupy the whole
  // queue.
  maxPerCaller: 2,
  // Allows for a busy machine, but not for a hanging thread. Pages get an earlier error
  // (`readAgreementPdf`). A job must render and send before its lease ends.
  maxWaitMs: 80_000,
  maxRunMs: 17_000,
} as const satisfies QueueLimits

const defaultScript = workerUrl(import.meta.url, 'agreement-pdf-worker')
