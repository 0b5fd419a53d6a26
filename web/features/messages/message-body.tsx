import type { Message } from '@keyturn/contract/messages/endpoints.ts'
import { splitAtLinks } from '@keyturn/contract/messages/rules.ts'
import { messagesTexts as texts } from '@keyturn/contract/messages/texts.ts'
import { formatDateTime, formatTime } from '@keyturn/contract/shared/dates.ts'
import { Anchor, VisuallyHidden } from '@mantine/core'
import { useEffect, useEffectEvent, useRef } from 'react'
import classes from './messages.module.css'

type MessageBodyProps = {
  message: Message
  /** The next message is the other party's, or of another day. */
  isLastOfRun: boolean
  /** Whether the message was new when this page first showed it. */
  wasNew: boolean
  onShown: () => void
  onReport: () => void
}

export function MessageBody({ message, isLastOfRun, wasNew, onShown, onReport }: MessageBodyProps) {
  const { isMine, isNew, isReported, text, name, at } = message
  const element = useRef<HTMLLIElement>(null)
  const reportShown = useEffectEvent(onShown)
  useEffect(() => {
    if (!isNew || !element.current) return
    // In a background tab, a message that is in view has not been seen.
    const reportIfVisible = () => {
      if (document.visibilityState === 'visible' && isInView) reportShown()
    }
    let isInView = false
    const observer = new IntersectionObserver(([entry]) => {
      isInView = entry?.isIntersecting === true
      reportIfVisible()
    })
    observer.observe(element.current)
    document.addEventListener('visibilitychange', reportIfVisible)
    return () => {
      observer.disconnect()
      document.removeEventListener('visibilitychange', reportIfVisible)
    }
  }, [isNew])
  return (
    <li
      ref={element}
      className={classes.message}
      data-mine={isMine || undefined}
      data-new={wasNew || undefined}
    >
      <VisuallyHidden>{isMine ? texts.you : name}: </VisuallyHidden>
      <p dir="auto" className={classes.words}>
        {text ? splitAtLinks(text).map(renderPiece) : texts.forgotten}
      </p>
      {(isLastOfRun || wasNew || !isMine) && (
        <p className={classes.beside}>
          <time dateTime={at}>{formatTime(at)}</time>
          {wasNew && <strong>{texts.isNew}</strong>}
          {!isMine &&
            (isReported ? (
              <span>{texts.report.reported}</span>
            ) : (
              <Anchor
                component="button"
                type="button"
                size="sm"
                c="dimmed"
                className={classes.report}
                aria-label={texts.report.of(name, formatDateTime(at), excerptOf(text))}
                onClick={onReport}
              >
                {texts.report.button}
              </Anchor>
            ))}
        </p>
      )}
    </li>
  )
}

const excerptOf = (text: string) => (text.length > 40 ? `${text.slice(0, 40).trimEnd()}…` : text)

const renderPiece = ({ text, link }: ReturnType<typeof splitAtLinks>[number], place: number) =>
  link ? (
    <span key={place}>
      <a href={link.href} target="_blank" rel="noopener noreferrer nofollow">
        {text}
      </a>{' '}
      <bdi className={classes.host}>({link.host})</bdi>
    </span>
  ) : (
    <span key={place}>{text}</span>
  )
