import { parentPort } from 'node:worker_threads'
import { drawAgreement, type SignedPaper } from './agreement-pdf.ts'

/** Says when it is ready; then one paper in, its bytes out. Whatever goes wrong ends the thread: its owner starts another. */
parentPort?.on('message', async (paper: SignedPaper) => parentPort?.postMessage(await drawAgreement(paper)))
parentPort?.postMessage('ready')
