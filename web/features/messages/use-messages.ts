import { type Message, seeMessages } from '@keyturn/contract/messages/endpoints.ts'
import { messagesTexts as texts } from '@keyturn/contract/messages/texts.ts'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { send } from '../../api/send.ts'
import { announce } from '../../components/feedback/notice.tsx'
import { messagesQuery } from '../deals/queries.ts'

/** The messages of a deal, newest last; null until loaded. */
export function useMessages(dealId: string) {
  const query = useInfiniteQuery(messagesQuery(dealId))
  const pages = query.data?.pages
  const messages = pages ? pages.toReversed().flatMap((page) => page.messages) : null
  return { query, messages, isOpen: pages?.[0]?.isOpen === true }
}

/**
 * Returns the messages that were new when this page first loaded them; they stay marked while
 * visible.
 */
export function useOnceNew(messages: readonly Message[]): ReadonlySet<string> {
  const [once, setOnce] = useState<ReadonlySet<string>>(new Set())
  const added = messages.filter(({ _id, isNew }) => isNew && !once.has(_id))
  if (added.length > 0) setOnce(new Set([...once, ...added.map(({ _id }) => _id)]))
  return once
}

/**
 * Reports the last seen message to the server, batching those that came into view together. A
 * failure is silent, because the next report includes it.
 */
export function useSeen(dealId: string, messages: readonly Message[] | null): (messageId: string) => void {
  const shown = useRef('')
  const said = useRef('')
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const placeOf = (id: string) => messages?.findIndex(({ _id }) => _id === id) ?? -1
  const say = useEffectEvent(() => {
    clearTimeout(timer.current)
    timer.current = undefined
    const upTo = shown.current
    if (placeOf(upTo) <= placeOf(said.current)) return
    said.current = upTo
    send(seeMessages, { params: { dealId }, body: { upTo } }, { keepalive: true }).catch(() => {
      said.current = ''
    })
  })
  const see = useEffectEvent((messageId: string) => {
    if (placeOf(messageId) > placeOf(shown.current)) shown.current = messageId
    timer.current ??= setTimeout(say, togetherMs)
  })
  // Reports before leaving, without the delay.
  useEffect(() => () => (timer.current === undefined ? undefined : say()), [])
  return see
}

/** Long enough for one rendering, too short to notice. */
const togetherMs = 200

/** Announces the other party's new messages to screen readers. */
export function useReadOut(messages: readonly Message[] | null): void {
  const last = messages?.at(-1)
  const known = useRef<string | null>(null)
  const isThere = messages !== null
  const readOut = useEffectEvent(() => {
    const before = known.current
    known.current = last?._id ?? ''
    if (before === null) return
    const since = messages?.slice(messages.findIndex(({ _id }) => _id === before) + 1) ?? []
    const words = since.filter(({ isNew }) => isNew).map(({ name, text }) => texts.came(name, text))
    if (words.length > 0) announce(words.join('\n'))
  })
  useEffect(() => {
    if (isThere && last?._id !== known.current) readOut()
  }, [isThere, last?._id])
}
