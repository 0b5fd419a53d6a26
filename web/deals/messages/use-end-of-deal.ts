import { messagesTexts as texts } from '@keyturn/contract/deals/messages/messages-texts.ts'
import { type FocusEvent, useEffect, useRef } from 'react'
import { isFocusLost } from '../../ui/feedback/focus.ts'
import { announce } from '../../ui/feedback/notice.tsx'

/** Whoever is about to write when the deal ends hears of it, and stands where it says so instead of nowhere. */
export function useEndOfDeal(isOpen: boolean) {
  const place = useRef<HTMLParagraphElement>(null)
  const isWithin = useRef(false)
  const wasOpen = useRef(isOpen)
  useEffect(() => {
    if (wasOpen.current && !isOpen) {
      announce(texts.closed)
      if (isWithin.current && isFocusLost()) place.current?.focus({ preventScroll: true })
    }
    wasOpen.current = isOpen
  }, [isOpen])
  return {
    place,
    /** Of the form. React says nothing of an element that goes with the focus on it. */
    watched: {
      onFocus: () => {
        isWithin.current = true
      },
      onBlur: ({ currentTarget, relatedTarget }: FocusEvent) => {
        isWithin.current = currentTarget.contains(relatedTarget)
      },
    },
    /** Nobody who has gone elsewhere meanwhile is called back. */
    keepFocus: (field: HTMLElement | null) => {
      if (isWithin.current || isFocusLost()) field?.focus()
    },
  }
}
