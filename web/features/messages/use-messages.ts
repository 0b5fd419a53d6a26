import { type Message, markMessagesSeen } from '@keyturn/contract/messages/endpoints.ts'
import { messagesTexts as texts } from '@keyturn/contract/messages/texts.ts'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { send } from '../../api/send.ts'
import { announce } from '../../components/feedback/notice.tsx'
import { messagesQuery } from '../deals/queries.ts'

/** Returns a deal's messages, the newest last; null until they are loaded. */
export function useMessages(dealId: string) {
  const query = useInfiniteQuery(messagesQuery(dealId))
  const pages = query.data?.pages
  const messages = pages ? pages.toReversed().flatMap((page) => page.messages) : null
  return { query, messages, isOpen: pages?.[0]?.isOpen === true, isPaused: pages?.[0]?.isPaused === true }
}

/** Returns the ids of the messages that were new when this page first loaded them. */
export function useInitiallyNew(messages: readonly Message[]): ReadonlySet<string> {
  const [initiallyNew, setInitiallyNew] = useState<ReadonlySet<string>>(new Set())
  const added = messages.filter(({ _id, isNew }) => isNew && !initiallyNew.has(_id))
  if (added.length > 0) setInitiallyNew(new Set([...initiallyNew, ...added.map(({ _id }) => _id)]))
  return initiallyNew
}

/**
 * Reports the last seen message to the server, once for messages that came into view together. A
 * failed report is ignored, because the next one includes it.
 */
export function useReportSeen(
  dealId: string,
  messages: readonly Message[] | null,
): (messageId: string) => void {
  const lastShown = useRef('')
  const lastReported = useRef('')
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const indexOf = (id: string) => messages?.findIndex(({ _id }) => _id === id) ?? -1
  const report = useEffectEvent(() => {
    clearTimeout(timer.current)
    timer.current = undefined
    const upTo = lastShown.current
    if (indexOf(upTo) <= indexOf(lastReported.current)) return
    lastReported.current = upTo
    send(markMessagesSeen, { params: { dealId }, body: { upTo } }, { keepalive: true }).catch(() => {
      lastReported.current = ''
    })
  })
  const markShown = useEffectEvent((messageId: string) => {
    if (indexOf(messageId) > indexOf(lastShown.current)) lastShown.current = messageId
    timer.current ??= setTimeout(report, batchMs)
  })
  useEffect(() => () => (timer.current === undefined ? undefined : report()), [])
  return markShown
}

/** Long enough for one rendering, and too short to be noticed. */
const batchMs = 200

/** Announces the other party's new messages to screen readers. */
export function useAnnounceMessages(messages: readonly Message[] | null): void {
  const last = messages?.at(-1)
  const lastKnown = useRef<string | null>(null)
  const isLoaded = messages !== null
  const announceNew = useEffectEvent(() => {
    const before = lastKnown.current
    lastKnown.current = last?._id ?? ''
    if (before === null) return
    const since = messages?.slice(messages.findIndex(({ _id }) => _id === before) + 1) ?? []
    const sentences = since.filter(({ isNew }) => isNew).map(({ name, text }) => texts.came(name, text))
    if (sentences.length > 0) announce(sentences.join('\n'))
  })
  useEffect(() => {
    if (isLoaded && last?._id !== lastKnown.current) announceNew()
  }, [isLoaded, last?._id])
}
