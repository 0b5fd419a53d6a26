import { Readable } from 'node:stream'
import type { exportData as exportDataCall } from '@keyturn/contract/accounts/privacy/endpoints.ts'
import { privacyTexts } from '@keyturn/contract/accounts/privacy/privacy-texts.ts'
import { type RetentionAges, retentionRows } from '@keyturn/contract/accounts/privacy/retention.ts'
import { fullName, maxSignInAgeMs } from '@keyturn/contract/accounts/rules.ts'
import type { EndpointInput } from '@keyturn/contract/shared/endpoint.ts'
import type { Config } from '../../../config.ts'
import type { Deps } from '../../../deps.ts'
import type { UserActor } from '../../../platform/http/authorization.ts'
import type { DataSection } from '../../../platform/personal-data/data-section.ts'
import { jsonFile } from '../../../platform/personal-data/json-file.ts'
import { formatUtc, readableFile } from '../../../platform/personal-data/readable-file.ts'
import { consumeLimit, throttleLimits } from '../../../platform/rate-limits/throttles.ts'
import { recordAccountEvent } from '../people/account-events.ts'
import { requirePassword } from '../sessions/step-up.ts'
import { type LookSource, readAllLooks, readNewestLooks } from './look-sources.ts'

/** What the modules above this one know about a person; `server/personal-data.ts` assembles it. */
export type PersonalData = {
  sections: readonly DataSection[]
  looks: readonly LookSource[]
  ages: (config: Config) => RetentionAges
}

/** More would make the page slow; the download has all of them. */
const maxLooks = 200

export async function readPrivacy(deps: Deps, data: PersonalData, actor: UserActor) {
  return {
    retention: retentionRows(data.ages(deps.config)),
    looks: await readNewestLooks(data.looks, deps, actor.id, maxLooks),
  }
}

/**
 * Streams everything about the person. An open browser is not enough, because the file has all of
 * the account's content (R-accounts-50).
 */
export async function exportData(
  deps: Deps,
  data: PersonalData,
  actor: UserActor,
  { format, currentPassword }: EndpointInput<typeof exportDataCall>['body'],
): Promise<Readable> {
  const { user } = await requirePassword(deps, actor, currentPassword, maxSignInAgeMs)
  await consumeLimit(deps, throttleLimits.exportData, actor.id)
  await recordAccountEvent(deps.db, {
    userId: actor.id,
    actor: 'PERSON',
    event: 'exported',
    sessionId: actor.sessionId,
  })
  deps.log.info({ event: 'data exported', user: actor.id, format }, 'account')
  const sections = [...data.sections, looksSection(data)]
  const retention = retentionRows(data.ages(deps.config))
  const madeAt = new Date()
  if (format === 'json') {
    const about = { service: deps.config.publicUrl.origin, madeAt, person: actor.id, retention }
    return Readable.from(jsonFile(about, sections, deps, actor.id))
  }
  const { title, madeFor, utc, more, empty } = privacyTexts.document
  const lead = [madeFor(fullName(user), formatUtc(madeAt)), utc, more]
  const first = { title: privacyTexts.retention.title, rows: retention }
  return Readable.from(readableFile({ title, lead, empty }, first, sections, deps, actor.id))
}

const looksSection = (data: PersonalData): DataSection => ({
  name: 'contactDataSeenBy',
  title: privacyTexts.looks.title,
  tables: [],
  async *read(reader, personId) {
    for await (const look of readAllLooks(data.looks, reader, personId))
      yield { at: new Date(look.at), who: privacyTexts.looks.sentence(look) }
  },
})
