import { parentPort, workerData } from 'node:worker_threads'
import { loadSealKey } from '../seal/seal-key.ts'
import { sealPdf } from '../seal/seal-pdf.ts'
import { drawAgreement } from './agreement-pdf.ts'
import type { PdfJob, PrintedPdf } from './pdf-printer.ts'

// Loaded before the worker is ready: the first start generates the key, and no request's time limit
// runs yet.
const key = await loadSealKey(workerData)

/** Posts 'ready', then each sealed PDF. An error ends the thread, and its owner restarts it. */
parentPort?.on('message', async ({ signed, appendix }: PdfJob) => {
  const drawn = await drawAgreement(signed, appendix)
  const bytes = new Uint8Array(await sealPdf(drawn, key))
  const printed: PrintedPdf = { bytes, certificate: new Uint8Array(key.certificate) }
  parentPort?.postMessage(printed)
})
parentPort?.postMessage('ready')
