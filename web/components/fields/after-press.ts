let submits = 0
let isPressed = false
let fallback: ReturnType<typeof setTimeout>
const waiting: (() => void)[] = []

/**
 * Runs a change that may move the page after the current press. A message that came or went between
 * press and release would move the button away from the finger (R-everywhere-57).
 */
export function afterPress(change: () => void): void {
  if (isPressed) waiting.push(change)
  else change()
}

/** Call before a form validates what it is about to send. */
export function countSubmit(): void {
  submits++
}

/**
 * Validates a field that lost the focus once the press is over, unless that press submitted the
 * form: it would remove what the submission found.
 */
export function validateAfterPress(validate: () => void): void {
  const submitsBefore = submits
  afterPress(() => {
    if (submits === submitsBefore) validate()
  })
}

function release(): void {
  isPressed = false
  for (const change of waiting.splice(0)) change()
}
const releaseAfter = (ms: number) => () => {
  clearTimeout(fallback)
  fallback = setTimeout(release, ms)
}

/** A finger's mouse events, which move the focus, and its click follow the pointer's release. */
const tapMs = 400
if (typeof window !== 'undefined') {
  for (const name of ['pointerdown', 'mousedown'])
    addEventListener(
      name,
      () => {
        clearTimeout(fallback)
        isPressed = true
      },
      true,
    )
  addEventListener('pointerup', releaseAfter(tapMs), true)
  for (const name of ['mouseup', 'pointercancel', 'dragend', 'contextmenu'])
    addEventListener(name, releaseAfter(0), true)
}
