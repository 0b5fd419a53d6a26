import { type CheckName, lacksContactData, type Verdict, verificationChecks } from './checks.ts'
import type { Evidence, VerificationTools } from './evidence.ts'

const outcomes = ['valid', 'extended', 'altered', 'voided', 'superseded', 'unknown', 'unproven'] as const
export type VerificationOutcome = (typeof outcomes)[number]
export type VerificationReport = {
  outcome: VerificationOutcome
  /** Without the checks that do not apply to this file. */
  checked: { name: CheckName; verdict: Verdict }[]
  /** A person's contact data was removed from this copy with their account. */
  lacksContactData: boolean
}

/** `present`: the checks to run; a test leaves one out. */
export async function runChecks(
  evidence: Evidence,
  tools: VerificationTools,
  present: readonly (typeof verificationChecks)[number][] = verificationChecks,
): Promise<VerificationReport> {
  const made = await Promise.all(
    present.map(async ({ name, run, isNeeded, applies }) => ({
      name,
      verdict: await run(evidence, tools),
      isNeeded: isNeeded(evidence),
      applies: applies(evidence),
    })),
  )
  const isBad = made.some(({ verdict }) => verdict === 'bad')
  const isProven = made.every(({ verdict, isNeeded }) => verdict === 'good' || !isNeeded)
  return {
    outcome: isBad ? 'altered' : outcomeOf(evidence, isProven),
    checked: made.filter(({ applies }) => applies).map(({ name, verdict }) => ({ name, verdict })),
    lacksContactData: lacksContactData(evidence, tools),
  }
}

function outcomeOf({ status, seal }: Evidence, isProven: boolean): VerificationOutcome {
  if (status === 'unknown') return 'unknown'
  if (!isProven) return 'unproven'
  if (status?.state === 'cancelled') return 'voided'
  if (status?.state === 'superseded') return 'superseded'
  return seal?.added ? 'extended' : 'valid'
}
