import { tradeTexts } from '@keyturn/contract/trades/texts.ts'
import { Button, Group, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { useCarSearch } from '../../../api/search-params.ts'
import { Card } from '../../../components/layout/card.tsx'
import { Page } from '../../../components/layout/page.tsx'
import { BackLink, LinkButton } from '../../../components/navigation/link.tsx'
import { TradeEntryDialogs } from './trade-entry-dialogs.tsx'
import { TradeFields } from './trade-form.tsx'
import { useTradeEntry } from './use-trade-entry.ts'

const texts = tradeTexts.input

type TradeInputScreenProps = { lead?: ReactNode; next?: ReactNode }

export function TradeInputScreen({ lead, next }: TradeInputScreenProps) {
  const entry = useTradeEntry()
  const search = useCarSearch()
  return (
    <Page
      title={texts.title}
      lead={lead}
      width="wizard"
      back={
        <BackLink to="/trade" search={search}>
          {texts.back}
        </BackLink>
      }
    >
      <Card>
        <form noValidate onSubmit={entry.submit}>
          <Stack gap="lg">
            <TradeFields key={entry.round} form={entry.form} />
            <Group justify="flex-end">
              <Button type="submit">{texts.submit}</Button>
            </Group>
          </Stack>
        </form>
      </Card>
      <TradeEntryDialogs
        entry={entry}
        next={
          <>
            <LinkButton to="/trade" search={search} variant={next ? 'default' : 'filled'}>
              {texts.toDashboard}
            </LinkButton>
            {next}
          </>
        }
        onDone={entry.startOver}
      />
    </Page>
  )
}
