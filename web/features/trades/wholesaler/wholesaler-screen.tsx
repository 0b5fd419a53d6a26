import { carName } from '@keyturn/contract/cars/rules.ts'
import { cents, formatUsd } from '@keyturn/contract/shared/money.ts'
import type { Trade } from '@keyturn/contract/trades/endpoints.ts'
import { type TradeFilter, takesOffer } from '@keyturn/contract/trades/rules.ts'
import { tradeTexts } from '@keyturn/contract/trades/texts.ts'
import { Skeleton, Stack, Switch, Text } from '@mantine/core'
import { type InfiniteData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { useUser } from '../../../auth/session.tsx'
import { Dialog } from '../../../components/feedback/dialog.tsx'
import { announce, Notice } from '../../../components/feedback/notice.tsx'
import { WorkButton } from '../../../components/feedback/work-button.tsx'
import { Page } from '../../../components/layout/page.tsx'
import { PagedQueryContent } from '../../../components/lists/paged-query-content.tsx'
import { LinkButton } from '../../../components/navigation/link.tsx'
import { PasskeyOffer } from '../../accounts/passkeys/passkey-offer.tsx'
import { CreditFacts } from '../credit-facts.tsx'
import { allTradesQuery } from '../queries.ts'
import { TradeTimeline } from '../trade-timeline.tsx'
import { wholesalerTurn } from '../trade-turns.ts'
import { useTradeFromUrl } from '../use-trade-from-url.ts'
import { findNextWaitingTrade } from './find-next-waiting-trade.ts'
import { OfferDialog, type OfferNews } from './offer-dialog.tsx'
import { TradeStatusFilter } from './trade-status-filter.tsx'
import { focusRow, useRowKeys, useShortcutsSetting } from './use-row-keys.ts'
import { WholesalerTradeList } from './wholesaler-trade-list.tsx'
import { WithdrawDialog } from './withdraw-dialog.tsx'
import classes from './workbench.module.css'

const texts = tradeTexts.wholesaler

/** /wholesaler: for approved wholesalers. The server rejects others as well (R-trades-19). */
export function WholesalerScreen() {
  const { userType, approved } = useUser()
  if (userType === 'WHOLESALER' && approved) return <Workbench />
  return (
    <Page title={texts.title}>
      <Unauthorized />
      {userType === 'WHOLESALER' && <Text>{texts.waitingForApproval}</Text>}
    </Page>
  )
}

const Unauthorized = () => <Text>{texts.unauthorized}</Text>

type Open = { dialog: 'offer' | 'history' | 'withdraw'; trade: Trade; news?: OfferNews }

/**
 * Lists every trade, the longest waiting first, to be worked through by mouse or keyboard
 * (R-trades-21).
 */
function Workbench() {
  const client = useQueryClient()
  const navigate = useNavigate()
  const [filter, setFilter] = useState<TradeFilter>('ALL')
  const query = allTradesQuery(filter)
  const allTrades = useInfiniteQuery(query)
  const rows = rowsOf(allTrades.data)
  const list = useRef<HTMLUListElement>(null)
  const [keysOn, turnKeys] = useShortcutsSetting()
  const [open, setOpen] = useState<Open | null>(null)
  const order = useRef<string[]>([])
  const visited = useRef<string[]>([])

  const openOffer = (trade: Trade, news?: OfferNews) => {
    // Answered trades leave a filtered list, so the order at the start is remembered.
    if (!open) {
      order.current = rows.map(({ _id }) => _id)
      visited.current = []
    }
    visited.current = [...visited.current, trade._id]
    setOpen({ dialog: 'offer', trade, news })
  }
  useRowKeys({
    list,
    isOn: keysOn,
    onOffer: (id) => {
      const trade = rows.find(({ _id }) => _id === id)
      if (trade && takesOffer(trade)) openOffer(trade)
    },
  })

  const isLookedFor = useTradeFromUrl(rows, (trade) => {
    if (takesOffer(trade)) openOffer(trade)
    else setOpen({ dialog: 'history', trade })
    void navigate({ to: '/wholesaler', replace: true })
  })
  const { hasNextPage, isFetching, fetchNextPage } = allTrades
  const isGone = isLookedFor && filter === 'ALL' && allTrades.isFetchedAfterMount && !hasNextPage
  useEffect(() => {
    if (!isLookedFor || isFetching) return
    if (hasNextPage) void fetchNextPage()
    else setFilter('ALL')
  }, [isLookedFor, hasNextPage, isFetching, fetchNextPage])

  const next = open && findNextWaitingTrade(rows, order.current, visited.current)
  const close = () => {
    setOpen(null)
    const id = open?.trade._id
    // The focus moves to the last trade that was shown, not to the one that opened the dialog.
    requestAnimationFrame(() => focusRow(list.current?.querySelector<HTMLElement>(`[data-row="${id}"]`)))
  }
  const sent = (trade: Trade) => {
    // From the cache, because this closure still has the old rows.
    const current = rowsOf(client.getQueryData(query.queryKey))
    const following = findNextWaitingTrade(current, order.current, visited.current)
    const [shown, name] = [formatUsd(trade.price ?? cents(0)), carName(trade)]
    if (following) return openOffer(following, { sentence: texts.sentAndNext(shown, name), sent: trade })
    close()
    announce(`${texts.sent(shown, name)} ${texts.noneLeft}`)
  }

  return (
    <Page
      title={texts.title}
      action={
        <>
          <WorkButton variant="default" onClick={() => allTrades.refetch()}>
            {texts.refresh}
          </WorkButton>
          <LinkButton to="/listofcars" variant="default">
            {texts.soldCars}
          </LinkButton>
        </>
      }
    >
      <PasskeyOffer />
      <div className={classes.tools}>
        <TradeStatusFilter value={filter} onChange={setFilter} />
        <div className={classes.keys}>
          <Switch
            label={texts.keys}
            checked={keysOn}
            onChange={(event) => turnKeys(event.currentTarget.checked)}
          />
        </div>
      </div>
      <Text c="dimmed" fz="sm">
        {texts.notPaidOut}
      </Text>
      {isGone && <Notice kind="info">{tradeTexts.changed.gone}</Notice>}
      <PagedQueryContent
        from={allTrades}
        failed={texts.failed}
        empty={texts.empty}
        emptyPicture="trades"
        skeleton={<WaitingRows />}
      >
        {(trades) => (
          <WholesalerTradeList
            ref={list}
            trades={trades}
            onOffer={(trade) => openOffer(trade)}
            onHistory={(trade) => setOpen({ dialog: 'history', trade })}
            onWithdraw={(trade) => setOpen({ dialog: 'withdraw', trade })}
          />
        )}
      </PagedQueryContent>
      {open?.dialog === 'offer' && (
        <OfferDialog
          trade={open.trade}
          current={rows.find(({ _id }) => _id === open.trade._id)}
          news={open.news}
          onSent={sent}
          onWithdraw={(trade) => setOpen({ dialog: 'withdraw', trade })}
          onSkip={next ? () => openOffer(next) : undefined}
          onClose={close}
        />
      )}
      {open?.dialog === 'withdraw' && (
        <WithdrawDialog
          trade={open.trade}
          current={rows.find(({ _id }) => _id === open.trade._id) ?? open.trade}
          onClose={close}
        />
      )}
      {open?.dialog === 'history' && <HistoryDialog trade={open.trade} onClose={close} />}
    </Page>
  )
}

/** Skeletons that are as tall as the rows. */
const WaitingRows = () => (
  <Stack gap={8}>
    {[1, 2, 3, 4, 5].map((row) => (
      <Skeleton key={row} height={130} radius="md" />
    ))}
  </Stack>
)

const rowsOf = (data: InfiniteData<{ rows: Trade[] }> | undefined): Trade[] =>
  data?.pages.flatMap(({ rows }) => rows) ?? []

function HistoryDialog({ trade, onClose }: { trade: Trade; onClose: () => void }) {
  return (
    <Dialog title={tradeTexts.wholesaler.historyOf(carName(trade))} onClose={onClose}>
      <TradeTimeline tradeId={trade._id} turn={wholesalerTurn(trade)} />
      {trade.price !== null && <CreditFacts price={trade.price} trade={trade} texts={texts} />}
    </Dialog>
  )
}
