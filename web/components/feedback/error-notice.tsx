import type { ReactNode } from 'react'
import { IconAlertTriangle } from '../icons.tsx'
import { texts } from '../texts.ts'
import classes from './error-notice.module.css'
import { WorkButton } from './work-button.tsx'

type ErrorNoticeProps = {
  title?: string
  children?: ReactNode
  /** A way to proceed other than trying again. */
  action?: ReactNode
  /** If it returns a promise, the button shows that it is working. */
  onRetry?: () => unknown
  retry?: string
}

/** An error next to its cause, with a way to proceed. */
export function ErrorNotice({ title, children, action, onRetry, retry = texts.tryAgain }: ErrorNoticeProps) {
  return (
    <div className={classes.trouble} role="alert">
      <IconAlertTriangle size={20} stroke={1.75} className={classes.icon} />
      <div className={classes.words}>
        {title && <p className={classes.title}>{title}</p>}
        {children && <div data-words>{children}</div>}
      </div>
      {(action || onRetry) && (
        <div className={classes.action}>
          {action}
          {onRetry && (
            <WorkButton variant="default" onClick={onRetry}>
              {retry}
            </WorkButton>
          )}
        </div>
      )}
    </div>
  )
}
