import { parentPort } from 'node:worker_threads'
import { drawAgreement, type SignedPaper } from './agreement-pdf.ts'

/** One paper in, its bytes out, in the order asked. Whatever goes wrong ends the thread: its owner starts another. */
let turn = Promise.resolve()
parentPort?.on('message', (paper: SignedPaper) => {
  turn = turn.then(async () => parentPort?.postMessage(await drawAgreement(paper)))
})
