import { parentPort, workerData } from 'node:worker_threads'
import { sealed } from '../seal/seal.ts'
import { derOf, sealKeyOf } from '../seal/seal-key.ts'
import { drawAgreement } from './agreement-pdf.ts'
import type { Paper, Printed } from './pdf-printer.ts'

// Before the worker is ready: the first start generates the key, and no request's time limit runs
// yet.
const key = await sealKeyOf(workerData)

/**
 * Reports when it is ready, then renders one paper per message. Any error ends the thread, and its
 * owner starts another.
 */
parentPort?.on('message', async ({ signed, appendix }: Paper) => {
  const drawn = await drawAgreement(signed, appendix)
  const bytes = new Uint8Array(await sealed(drawn, key, new Date(appendix.sealedAt)))
  const printed: Printed = { bytes, certificate: new Uint8Array(derOf(key.own)) }
  parentPort?.postMessage(printed)
})
parentPort?.postMessage('ready')
