import { Button, type ButtonProps } from '@mantine/core'
import { type ComponentPropsWithRef, type MouseEvent, type ReactNode, useId, useRef, useState } from 'react'
import { texts } from '../texts.ts'
import classes from './work-button.module.css'

type WorkButtonProps = ButtonProps &
  Omit<ComponentPropsWithRef<'button'>, keyof ButtonProps | 'onClick'> & {
    /** If it returns a promise, the button shows that it is working until the promise settles. */
    onClick?: (event: MouseEvent<HTMLButtonElement>) => unknown
    /** For a form's submit button: whether the form is working. */
    busy?: boolean
    working?: string
    /** The text about what to do first. The button shows it and cannot be pressed (R-everywhere-58). */
    blockedBecause?: string | false
    children: ReactNode
  }

/**
 * A button that shows when it is working, keeps its width and focus, and accepts one click at a
 * time.
 */
export function WorkButton(props: WorkButtonProps) {
  const { onClick, busy, working = texts.working, blockedBecause, children, ...rest } = props
  const reason = useId()
  const [isRunning, run] = useRunning()
  const works = isRunning || busy === true
  const click = (event: MouseEvent<HTMLButtonElement>) => {
    if (works || blockedBecause) event.preventDefault()
    else if (onClick) run(() => onClick(event))
  }
  // One shape with and without a reason: a button that moved in the tree would lose its focus.
  return (
    <>
      {blockedBecause && (
        <p id={reason} className={classes.reason}>
          {blockedBecause}
        </p>
      )}
      <Button
        {...rest}
        onClick={click}
        aria-disabled={works || Boolean(blockedBecause) || undefined}
        aria-describedby={blockedBecause ? reason : rest['aria-describedby']}
        aria-busy={works || undefined}
        mod={{ works, disabled: Boolean(blockedBecause), danger: rest.color === 'brick' }}
      >
        <span className={classes.faces}>
          <span className={classes.face} data-face data-off={works || undefined} aria-hidden={works}>
            {children}
          </span>
          <span className={classes.face} data-face data-off={!works || undefined} aria-hidden={!works}>
            {working}
          </span>
        </span>
      </Button>
    </>
  )
}

/** Ignores calls while one is running. State alone would change one render too late. */
function useRunning(): [isRunning: boolean, run: (work: () => unknown) => void] {
  const [isRunning, setRunning] = useState(false)
  const underWay = useRef(false)
  const run = (work: () => unknown) => {
    if (underWay.current) return
    const result = work()
    if (!(result instanceof Promise)) return
    underWay.current = true
    setRunning(true)
    void result.finally(() => {
      underWay.current = false
      setRunning(false)
    })
  }
  return [isRunning, run]
}
