import { VisuallyHidden } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { announce } from '../../components/feedback/notice.tsx'
import { IconCheck, IconMinus } from '../../components/icons.tsx'
import { texts } from '../../components/texts.ts'
import classes from './stage-stepper.module.css'

type StageStepperProps = {
  label: string
  steps: readonly string[]
  /** The index of the current step, or `steps.length` when all are done. */
  current: number
  /** From the table of R-deals-11. */
  percent: number
  /**
   * Indexes of steps that this deal does not need. They stay visible, because `percent` counts
   * them.
   */
  skipped?: readonly number[]
}

/** Shows a deal's progress as named steps; on a phone, as one line. */
export function StageStepper({ label, steps, current, percent, skipped = [] }: StageStepperProps) {
  const currentStep = steps[Math.min(current, steps.length - 1)] ?? ''
  useAnnounceStep(
    currentStep,
    current < steps.length ? `${texts.stage(current + 1, steps.length)}: ${currentStep}` : '',
  )
  const stateOf = (index: number) =>
    index === current ? 'now' : skipped.includes(index) ? 'skipped' : index < current ? 'done' : 'ahead'
  return (
    <div className={classes.rail} data-print="hide">
      <ol className={classes.steps}>
        {steps.map((step, index) => {
          const state = stateOf(index)
          return (
            <li
              key={step}
              className={classes.step}
              data-state={state}
              aria-current={state === 'now' ? 'step' : undefined}
            >
              {state === 'done' && <IconCheck size={15} stroke={2.5} className={classes.tick} />}
              {state === 'skipped' && <IconMinus size={15} stroke={2} />}
              <span>{step}</span>
              {state === 'done' && <VisuallyHidden>, {texts.stageDone}</VisuallyHidden>}
              {state === 'skipped' && <VisuallyHidden>, {texts.stageSkipped}</VisuallyHidden>}
            </li>
          )
        })}
      </ol>
      <p className={classes.folded}>
        {current < steps.length && (
          <>
            <span className={classes.count}>{texts.stage(current + 1, steps.length)}</span>
            <span aria-hidden> · </span>
          </>
        )}
        <strong>{currentStep}</strong>
        <span className={classes.percent} aria-hidden>
          {percent}%
        </span>
      </p>
      <div
        className={classes.track}
        role="progressbar"
        aria-label={label}
        aria-valuenow={percent}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuetext={texts.percentDone(percent)}
      >
        <div className={classes.fill} style={{ width: `${percent}%` }} />
      </div>
    </div>
  )
}

/**
 * Announces a new step. The first step is read with the page, and the last is followed by an
 * outcome.
 */
function useAnnounceStep(step: string, sentence: string) {
  const last = useRef(step)
  useEffect(() => {
    if (last.current === step) return
    last.current = step
    if (sentence) announce(sentence)
  }, [step, sentence])
}
