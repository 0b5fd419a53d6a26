import { type ConsentText, currentConsent } from '@keyturn/contract/agreements/consent.ts'
import { consentTexts as texts } from '@keyturn/contract/agreements/consent-texts.ts'
import type { Consent } from '@keyturn/contract/agreements/endpoints.ts'
import { formatDateTime } from '@keyturn/contract/shared/dates.ts'
import { Stack, Text } from '@mantine/core'
import classes from './consent.module.css'

export function ConsentParagraphs({ of: { lead, sections } }: { of: ConsentText }) {
  return (
    <Stack gap="sm">
      <Text size="sm">{lead}</Text>
      {sections.map(({ title, text }) => (
        <Text key={title} size="sm">
          <strong>{title}.</strong> {text}
        </Text>
      ))}
    </Stack>
  )
}

/**
 * Shows the consent before a signature (R-deals-66), collapsed if the person has already accepted
 * this text.
 */
export function ConsentToSign({ consent }: { consent: Consent }) {
  return (
    <Stack gap="xs">
      <Text fw="bold">{currentConsent.title}</Text>
      {consent?.withdrawnAt && <Text size="sm">{texts.withdrawn(formatDateTime(consent.withdrawnAt))}</Text>}
      {consent && isCurrent(consent) ? (
        <>
          <Text size="sm">{texts.given(formatDateTime(consent.givenAt))}</Text>
          <details>
            <summary className={classes.again}>{texts.readAgain}</summary>
            <ConsentParagraphs of={currentConsent} />
          </details>
        </>
      ) : (
        <ConsentParagraphs of={currentConsent} />
      )}
    </Stack>
  )
}

const isCurrent = ({ version, withdrawnAt }: NonNullable<Consent>) =>
  withdrawnAt === null && version === currentConsent.version
