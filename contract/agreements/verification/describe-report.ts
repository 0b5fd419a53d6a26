import { formatDateTime } from '../../shared/dates.ts'
import type { SealCheck } from '../sealed-pdf.ts'
import { completedSince } from './checks.ts'
import type { Evidence } from './evidence.ts'
import type { VerificationReport } from './run-checks.ts'
import { verificationTexts as texts } from './verification-texts.ts'

type Described = { title: string; text: string; notes: string[] }

/** The result in words, for the page and the command: what was found, and what was not checked. */
export function describeReport(report: VerificationReport, evidence: Evidence): Described {
  const { seal, status } = evidence
  const completedAt = completedSince(evidence)
  const { outcome, checked, lacksContactData } = report
  const said = texts.outcomes[outcome]
  const { sealedAt, level, stamp, added, length = 0 } = seal ?? {}
  const missing = [
    ...checked.filter(({ verdict }) => verdict === 'unchecked').map(({ name }) => texts.checks[name]),
    ...(status === null ? [texts.statusNotAsked] : []),
  ]
  const notes = [
    added && texts.added[added.kind](added.bytes),
    lacksContactData && texts.leavesOut,
    sealedAt && texts.sealed(format(sealedAt), level ?? null),
    stamp && describeStamp(stamp),
    outcome !== 'altered' && completedAt && texts.completedSince(format(completedAt)),
    outcome !== 'altered' && missing.length > 0 && texts.notChecked(missing),
  ]
  return {
    title: 'title' in said ? said.title : texts.validUpTo(length),
    text: said.text,
    notes: notes.filter((note) => typeof note === 'string'),
  }
}

/** Never a check of the file: anybody can replace the stamp, and its authority is not ours. */
function describeStamp({ valid, at, authority }: NonNullable<SealCheck['stamp']>): string {
  if (valid === false) return texts.stampChanged
  return valid && at ? texts.stamped(format(at), authority) : texts.stampUnsupported
}

/** Any key can sign a date that does not exist. */
const format = (at: string): string => (Number.isNaN(Date.parse(at)) ? at : formatDateTime(at))
