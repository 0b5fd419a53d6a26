import { currentConsent } from '@keyturn/contract/agreements/consent.ts'
import { consentTexts as texts } from '@keyturn/contract/agreements/consent-texts.ts'
import { type Consent, withdrawConsent } from '@keyturn/contract/agreements/endpoints.ts'
import { formatDateTime } from '@keyturn/contract/shared/dates.ts'
import { Button, Group, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useEndpointMutation } from '../../api/mutations/use-endpoint-mutation.ts'
import { ConfirmDialog } from '../../components/feedback/confirm-dialog.tsx'
import { Dialog } from '../../components/feedback/dialog.tsx'
import { Card } from '../../components/layout/card.tsx'
import { QueryContent } from '../../components/lists/query-content.tsx'
import { consentQuery } from '../deals/queries.ts'
import classes from './consent.module.css'
import { ConsentParagraphs } from './consent-to-sign.tsx'

/** Shows the person's consent to sign electronically, and lets them withdraw it (R-deals-67). */
export function ConsentCard() {
  const found = useQuery(consentQuery)
  const [open, setOpen] = useState<'text' | 'withdraw' | null>(null)
  const close = () => setOpen(null)
  return (
    <Card title={texts.title}>
      <QueryContent from={found} failed={texts.failed} skeletonRows={1}>
        {({ consent, address }) => (
          <Stack gap="md">
            <p>{describeConsent(consent)}</p>
            {consent && <p>{texts.version(consent.version)}</p>}
            {address && (
              <p>
                {texts.address}: {address}
              </p>
            )}
            <Group gap="sm">
              <Button variant="default" onClick={() => setOpen('text')}>
                {texts.read}
              </Button>
              {consent && consent.withdrawnAt === null && (
                <Button variant="outline" color="brick" onClick={() => setOpen('withdraw')}>
                  {texts.withdraw}
                </Button>
              )}
            </Group>
          </Stack>
        )}
      </QueryContent>
      {open === 'text' && (
        <Dialog
          title={currentConsent.title}
          onClose={close}
          actions={<Button onClick={close}>{texts.close}</Button>}
        >
          <ConsentParagraphs of={currentConsent} address={found.data?.address ?? ''} />
        </Dialog>
      )}
      {open === 'withdraw' && <WithdrawDialog onClose={close} />}
    </Card>
  )
}

function describeConsent(consent: Consent): string {
  if (!consent) return texts.never
  const { version, givenAt, withdrawnAt } = consent
  if (withdrawnAt) return texts.withdrawn(formatDateTime(withdrawnAt))
  const when = formatDateTime(givenAt)
  return version === currentConsent.version ? texts.given(when) : texts.givenBefore(when)
}

/** Shows the consequences before the withdrawal. */
function WithdrawDialog({ onClose }: { onClose: () => void }) {
  const withdrawing = useEndpointMutation(withdrawConsent, {
    refresh: [consentQuery.queryKey],
    success: texts.done,
    onDone: onClose,
  })
  return (
    <ConfirmDialog
      title={texts.withdrawTitle}
      confirm={texts.withdraw}
      cancel={texts.cancel}
      danger
      size="md"
      failed={texts.failed}
      onConfirm={() => withdrawing.act({})}
      onClose={onClose}
    >
      <p>{texts.withdrawLead}</p>
      <ul className={classes.follows}>
        {texts.follows.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </ConfirmDialog>
  )
}
