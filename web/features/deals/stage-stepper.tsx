import { VisuallyHidden } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { useHasChanged } from '../../components/display/use-has-changed.ts'
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
  /** The state when all steps are done; by default the last step. */
  end?: string
  /**
   * Indexes of steps that this deal does not need. They stay visible, because `percent` counts
   * them.
   */
  skipped?: readonly number[]
  /** Named on a phone instead of the steps, which do not fit there, until all are done. */
  phases?: { names: readonly string[]; current: number; skipped: readonly number[] }
}

/** Shows a deal's progress as named steps, on a phone as its phases or as one line. */
export function StageStepper(props: StageStepperProps) {
  const { label, steps, current, percent, end, skipped, phases } = props
  const currentStep = steps[current] ?? end ?? steps.at(-1) ?? ''
  const hasMoved = useHasChanged(current)
  const place = phases ? phases.names[phases.current] : texts.stage(current + 1, steps.length)
  useAnnounceStep(currentStep, current < steps.length ? [...new Set([place, currentStep])].join(': ') : '')
  return (
    <div className={classes.rail} data-print="hide" data-moved={hasMoved || undefined}>
      <StepList className={classes.steps} names={steps} current={current} skipped={skipped} />
      {phases && current < steps.length ? (
        <div className={classes.phaseLine}>
          <StepList className={classes.phases} {...phases} />
          <span className={classes.percent} aria-hidden>
            {percent}%
          </span>
        </div>
      ) : (
        <p className={classes.folded}>
          {current < steps.length && (
            <>
              <span className={classes.count}>{place}</span>
              <span aria-hidden> · </span>
            </>
          )}
          <strong>{currentStep}</strong>
          <span className={classes.percent} aria-hidden>
            {percent}%
          </span>
        </p>
      )}
      <div
        className={classes.track}
        role="progressbar"
        aria-label={label}
        aria-valuenow={percent}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuetext={`${texts.percentDone(percent)}: ${currentStep}`}
      >
        <div className={classes.fill} style={{ width: `${percent}%` }} />
      </div>
    </div>
  )
}

type StepListProps = {
  className: string | undefined
  names: readonly string[]
  current: number
  skipped?: readonly number[]
}

function StepList({ className, names, current, skipped = [] }: StepListProps) {
  const stateOf = (index: number) =>
    index === current ? 'now' : skipped.includes(index) ? 'skipped' : index < current ? 'done' : 'ahead'
  const newest = names.findLastIndex((_, index) => stateOf(index) === 'done')
  return (
    <ol className={className}>
      {names.map((name, index) => {
        const state = stateOf(index)
        return (
          <li
            key={name}
            className={classes.step}
            data-state={state}
            aria-current={state === 'now' ? 'step' : undefined}
          >
            {state === 'done' && (
              <IconCheck
                size={15}
                stroke={2.5}
                className={classes.tick}
                data-newest={index === newest || undefined}
              />
            )}
            {state === 'skipped' && <IconMinus size={15} stroke={2} />}
            <span>{name}</span>
            {state === 'done' && <VisuallyHidden>, {texts.stageDone}</VisuallyHidden>}
            {state === 'skipped' && <VisuallyHidden>, {texts.stageSkipped}</VisuallyHidden>}
          </li>
        )
      })}
    </ol>
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
