import { type Message, seeMessages } from '@keyturn/contract/deals/messages/calls.ts'
import { messagesTexts as texts } from '@keyturn/contract/deals/messages/messages-texts.ts'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { announce } from '../../ui/feedback/notice.tsx'
import { send } from '../../wire/send.ts'
import { messagesQuery } from '../queries.ts'

/** The messages of a deal, the newest last; null until they are there. */
export function useMessages(dealId: string) {
  const query = useInfiniteQuery(messagesQuery(dealId))
  const pages = query.data?.pages
  const messages = pages ? pages.toReversed().flatMap((page) => page.messages) : null
  return { query, messages, isOpen: pages?.[0]?.isOpen === true }
}

/** Which were new when this page first had them: they stay marked while somebody looks at them. */
export function useOnceNew(messages: readonly Message[]): ReadonlySet<string> {
  const [once, setOnce] = useState<ReadonlySet<string>>(new Set())
  const added = messages.filter(({ _id, isNew }) => isNew && !once.has(_id))
  if (added.length > 0) setOnce(new Set([...once, ...added.map(({ _id }) => _id)]))
  return once
}

/** Says to the server up to where the person has been shown messages; a failure is silent, the next look says it again. */
export function useSeen(dealId: string): (messageId: string) => void {
  const said = useRef('')
  return (upTo) => {
    if (said.current === upTo) return
    said.current = upTo
    send(seeMessages, { params: { dealId }, body: { upTo } }).catch(() => {
      said.current = ''
    })
  }
}

/** Reads to who cannot see the screen what the other one has just written. */
export function useReadOut(messages: readonly Message[] | null): void {
  const last = messages?.at(-1)
  const known = useRef<string | null>(null)
  const isThere = messages !== null
  const readOut = useEffectEvent(() => {
    const isFirst = known.current === null
    known.current = last?._id ?? ''
    if (!isFirst && last?.isNew) announce(texts.came(last.name, last.text))
  })
  useEffect(() => {
    if (isThere && last?._id !== known.current) readOut()
  }, [isThere, last?._id])
}
