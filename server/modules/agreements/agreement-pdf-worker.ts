import { parentPort, workerData } from 'node:worker_threads'
import { drawAgreement } from './agreement-pdf.ts'
import type { Paper, Printed } from './pdf-printer.ts'
import { sealed } from './seal/seal.ts'
import { derOf, sealKeyOf } from './seal/seal-key.ts'

// Before it is ready: the first start of all makes the key, and nobody's time for an answer runs yet.
const key = await sealKeyOf(workerData)

/** Says when it is ready; then one paper in, its bytes out. Whatever goes wrong ends the thread: its owner starts another. */
parentPort?.on('message', async ({ signed, appendix }: Paper) => {
  const drawn = await drawAgreement(signed, appendix)
  const bytes = new Uint8Array(await sealed(drawn, key, new Date(appendix.sealedAt)))
  const printed: Printed = { bytes, certificate: new Uint8Array(derOf(key.own)) }
  parentPort?.postMessage(printed)
})
parentPort?.postMessage('ready')
