import { postWebhook, type WebhookRules } from '../webhooks/post-webhook.ts'

/** `proof`: from `oldSize` to the checkpoint, in base64. */
export type Submission = { oldSize: number; proof: readonly string[]; checkpoint: string }
/**
 * `conflict`: the size of the last head that the witness has cosigned. `refused`: the witness finds
 * the log inconsistent.
 */
export type SubmissionResult =
  | { kind: 'cosigned'; lines: string }
  | { kind: 'conflict'; size: number }
  | { kind: 'refused' | 'failed'; because: string }

/** Submits a checkpoint to a witness once (c2sp.org/tlog-witness, add-checkpoint). */
export async function submitCheckpoint(
  url: string,
  { oldSize, proof, checkpoint }: Submission,
  rules: WebhookRules,
): Promise<SubmissionResult> {
  const body = `old ${oldSize}\n${proof.map((hash) => `${hash}\n`).join('')}\n${checkpoint}`
  const headers = { 'content-type': 'text/plain; charset=utf-8' }
  const {
    status,
    because,
    body: answer = '',
  } = await postWebhook(`${url}/add-checkpoint`, { headers, body }, rules)
  if (status === 200 && because === null) return { kind: 'cosigned', lines: answer }
  const [, size] = (status === 409 && /^(0|[1-9]\d{0,14})\n$/.exec(answer)) || []
  if (size !== undefined && Number(size) !== oldSize) return { kind: 'conflict', size: Number(size) }
  // 409 with the size that was sent: the same size has another root there.
  const isRefused = status === 409 || status === 422
  return {
    kind: isRefused ? 'refused' : 'failed',
    because: status === null ? (because ?? '') : `HTTP ${status}`,
  }
}
