import { type ConsentText, currentConsent } from '@keyturn/contract/agreements/consent.ts'
import { consentTexts as texts } from '@keyturn/contract/agreements/consent-texts.ts'
import type { Consent } from '@keyturn/contract/agreements/endpoints.ts'
import { formatDateTime } from '@keyturn/contract/shared/dates.ts'
import { Group, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './consent.module.css'

type ParagraphsProps = { of: ConsentText; address: string }

export function ConsentParagraphs({ of: { lead, sections }, address }: ParagraphsProps) {
  return (
    <Stack gap="sm">
      <Text size="sm">{lead}</Text>
      {sections.map(({ title, text }) => (
        <Text key={title} size="sm">
          <strong>{title}.</strong> {text}
        </Text>
      ))}
      <Text size="sm">
        <strong>{texts.address}:</strong> {address || texts.addressMissing}
      </Text>
    </Stack>
  )
}

/**
 * Shows the consent before a signature (R-deals-66), collapsed if the person has already accepted
 * this text. The children are the offer of the PDF, which the text mentions.
 */
export function ConsentToSign({ consent, address, children }: ConsentProps) {
  const paragraphs = <ConsentParagraphs of={currentConsent} address={address} />
  return (
    <Stack gap="xs">
      <Text fw="bold">{currentConsent.title}</Text>
      {consent?.withdrawnAt && <Text size="sm">{texts.withdrawn(formatDateTime(consent.withdrawnAt))}</Text>}
      {consent && isCurrent(consent) ? (
        <>
          <Text size="sm">{texts.given(formatDateTime(consent.givenAt))}</Text>
          <details>
            <summary className={classes.again}>{texts.readAgain}</summary>
            {paragraphs}
          </details>
        </>
      ) : (
        paragraphs
      )}
      <Group gap="xs">{children}</Group>
    </Stack>
  )
}

type ConsentProps = { consent: Consent; address: string; children: ReactNode }

const isCurrent = ({ version, withdrawnAt }: NonNullable<Consent>) =>
  withdrawnAt === null && version === currentConsent.version
