import type { ApiError } from '@keyturn/contract/shared/error.ts'
import type { z } from 'zod'
import { countSubmit, validateAfterPress } from './after-press.ts'
import { type FieldErrors, fieldErrorsIn, validate } from './field-errors.ts'

// Drives a form on a server-rendered page without React (R-everywhere-43). It uses the same markup
// as the app's fields, and the page's templates (`public-pages/form-frame.tsx`).

type FormError = {
  sentence: string
  /** Shown below the sentence, which then becomes the title. */
  cause?: string | null
  /** The person has to load a newer version of the page. */
  mustReload?: boolean
}

type FormOptions = {
  schema: z.ZodType
  /** Returns the field values, as input for the schema. */
  values: () => object
  send: (values: object) => Promise<unknown>
  errorOf: (error: ApiError) => FormError
}

/**
 * Validates on blur and on submit, keeps the typed values, and ignores a submit while another is
 * pending.
 */
export function bindForm(form: HTMLFormElement, { schema, values, send, errorOf }: FormOptions): void {
  const button = form.querySelector<HTMLElement>('[type=submit]')
  let notice: Element | null = null
  let isWorking = false

  const showError = (said: FormError | null) => {
    notice?.remove()
    notice = said && errorNotice(said)
    if (notice) button?.before(notice)
  }
  const showFieldErrors = (sentences: FieldErrors) => {
    for (const input of inputsOf(form)) setFieldError(input, sentences[input.name])
    inputsOf(form)
      .find(({ name }) => sentences[name])
      ?.focus()
  }

  form.addEventListener('focusout', ({ target }) => {
    if (!(target instanceof HTMLInputElement) || !target.name) return
    validateAfterPress(() => setFieldError(target, validate(schema, values())[target.name]))
  })
  form.addEventListener('input', ({ target }) => {
    if (target instanceof HTMLInputElement) setFieldError(target, undefined)
  })
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    if (!isWorking) void submit()
  })

  async function submit(): Promise<void> {
    countSubmit()
    showError(null)
    const given = values()
    const wrong = validate(schema, given)
    showFieldErrors(wrong)
    if (Object.keys(wrong).length > 0) return
    setWorking(true)
    try {
      await send(given)
    } catch (fault) {
      const error = fault as ApiError
      const said = fieldErrorsIn(error)
      if (inputsOf(form).some(({ name }) => said[name])) showFieldErrors(said)
      else showError(errorOf(error))
    }
    setWorking(false)
  }

  function setWorking(is: boolean): void {
    isWorking = is
    if (button) showWorking(button, is)
  }
}

function showWorking(button: HTMLElement, works: boolean): void {
  const [word, working] = button.querySelectorAll('[data-face]')
  for (const name of ['aria-busy', 'aria-disabled', 'data-works']) set(button, name, works && 'true')
  for (const [face, isOff] of [
    [word, works],
    [working, !works],
  ] as const) {
    if (!face) continue
    set(face, 'data-off', isOff && 'true')
    set(face, 'aria-hidden', String(isOff))
  }
}

const inputsOf = (form: HTMLFormElement): HTMLInputElement[] =>
  [...form.elements].filter(
    (one): one is HTMLInputElement => one instanceof HTMLInputElement && one.name !== '',
  )

/** Shows or clears the error below a field, with the markup of Mantine's wrapper. */
function setFieldError(input: HTMLInputElement, sentence: string | undefined): void {
  const wrapper = input.closest<HTMLElement>('.mantine-Input-wrapper')
  if (!wrapper) return
  const id = `${input.id}-error`
  const old = document.getElementById(id)
  if (!sentence && !old) return
  const description = document.getElementById(`${input.id}-description`)
  const example = cloneTemplate('wrong-field')
  const exampleGap = example.querySelector<HTMLElement>('.mantine-Input-wrapper')?.style
  const gap = '--input-margin-bottom'
  if (sentence) wrapper.style.setProperty(gap, exampleGap?.getPropertyValue(gap) ?? '')
  else wrapper.style.removeProperty(gap)
  for (const element of [wrapper, wrapper.querySelector('.mantine-Input-input'), input])
    if (element) set(element, 'data-error', sentence && 'true')
  set(input, 'aria-invalid', sentence && 'true')
  set(input, 'aria-describedby', [sentence && id, description?.id].filter(Boolean).join(' '))
  if (!sentence) {
    old?.remove()
    return
  }
  const line = old ?? example.querySelector('.mantine-InputWrapper-error')
  if (!line) return
  line.id = id
  line.textContent = sentence
  if (!old) wrapper.after(line)
}

function errorNotice({ sentence, cause, mustReload }: FormError): Element {
  const found = cloneTemplate(mustReload ? 'trouble-to-reload' : cause ? 'trouble-with-cause' : 'trouble')
  const words = found.querySelector('[data-words]')
  const title = found.querySelector('p')
  if (title) title.textContent = sentence
  if (words) words.textContent = cause ?? sentence
  found.querySelector('button')?.addEventListener('click', () => location.reload())
  return found
}

/** Clones the content of a template of the page. */
export function cloneTemplate(name: string): Element {
  const template = document.querySelector<HTMLTemplateElement>(`template[data-part="${name}"]`)
  const found = template?.content.firstElementChild?.cloneNode(true)
  if (!(found instanceof Element)) throw new Error(`The page has no part ${name}`)
  return found
}

function set(element: Element, name: string, value: string | false | undefined): void {
  if (value) element.setAttribute(name, value)
  else element.removeAttribute(name)
}
