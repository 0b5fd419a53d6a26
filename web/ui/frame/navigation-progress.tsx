import { useRouterState } from '@tanstack/react-router'
import classes from './navigation-progress.module.css'

/**
 * Says that a tapped link was heard while the next screen is still on its way. Hidden from screen readers, which are
 * told of the screen once it is there.
 */
export function NavigationProgress() {
  const isUnderWay = useRouterState({ select: ({ isLoading }) => isLoading })
  return (
    isUnderWay && <div className={classes.line} data-progress="navigation" aria-hidden data-print="hide" />
  )
}
