import { tradeTexts } from '@keyturn/contract/trades/texts.ts'
import { Button, Group, Stack } from '@mantine/core'
import { Card } from '../../ui/frame/card.tsx'
import { BackLink, LinkButton } from '../../ui/frame/link.tsx'
import { Page } from '../../ui/frame/page.tsx'
import { TradeEntryDialogs } from './trade-entry-dialogs.tsx'
import { TradeFields } from './trade-form.tsx'
import { useTradeEntry } from './use-trade-entry.ts'

const texts = tradeTexts.input

/** /trade/input: Add A Trade. */
export function TradeInputScreen() {
  const entry = useTradeEntry()
  return (
    <Page title={texts.title} width="wizard" back={<BackLink to="/trade">{texts.back}</BackLink>}>
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
        next={<LinkButton to="/trade">{texts.toDashboard}</LinkButton>}
        onDone={entry.startAnew}
      />
    </Page>
  )
}
