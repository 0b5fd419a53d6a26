import {
  type Car,
  type DetailName,
  describeCar,
  type OptionalDetails,
  car as wireCar,
} from '@keyturn/contract/cars/endpoints.ts'
import { carTexts, detailNames, detailTexts } from '@keyturn/contract/cars/texts.ts'
import { ApiError } from '@keyturn/contract/shared/error.ts'
import { Group, Stack, Text } from '@mantine/core'
import { type GetInputPropsReturnType, useForm } from '@mantine/form'
import type { FC } from 'react'
import { hasErrorCode } from '../../../../api/errors.ts'
import { changesBetween } from '../../../../api/mutations/changes.ts'
import { DecisionChanges } from '../../../../api/mutations/decision-changes.tsx'
import { useDecision } from '../../../../api/mutations/use-decision.ts'
import { useEndpointMutation } from '../../../../api/mutations/use-endpoint-mutation.ts'
import { useFormMutation } from '../../../../api/mutations/use-form-mutation.ts'
import { useDraft } from '../../../../auth/use-draft.ts'
import { FormActions } from '../../../../components/feedback/form-actions.tsx'
import { createValidator, formOptions, updateUntouched } from '../../../../components/fields/form.ts'
import { SelectField } from '../../../../components/fields/select-field.tsx'
import { TextAreaField } from '../../../../components/fields/text-field.tsx'
import { WholeNumberField } from '../../../../components/fields/whole-number-field.tsx'

const texts = carTexts.words

type Typed = Record<DetailName, string | number>
type InputProps = GetInputPropsReturnType & { label: string; description?: string }

const inputs: Record<DetailName, FC<InputProps>> = {
  description: (props) => <TextAreaField maxLength={1000} data-autofocus autoFocus {...props} />,
  condition: (props) => <TextAreaField minRows={2} maxLength={300} {...props} />,
  owners: (props) => <WholeNumberField {...props} />,
  titleHolder: (props) => <SelectField options={optionsOf('titleHolder')} {...props} />,
}

const optionsOf = (name: DetailName) =>
  Object.entries(detailTexts[name].options ?? {}).map(([value, label]) => ({ value, label }))

/** A form for the seller's description of the car (R-cars-29). */
export function OptionalDetailsForm({ car, onClose }: { car: Car; onClose: () => void }) {
  const saving = useEndpointMutation(describeCar, {
    refresh: [['cars'], ['deals']],
    success: texts.saved,
    onDone: onClose,
  })
  const decision = useDecision({ by: saving, current: car, newsOf: newsOfDetails, currentIn })
  const form = useForm<Typed>({
    ...formOptions(describeCar.body, typedOf(car)),
    validate: (typed) => createValidator(describeCar.body)(wireOf(typed)),
  })
  useDraft(form, 'words')
  const { submit, trouble, clearError } = useFormMutation(form, (typed) =>
    decision.act(({ _id: carId, version }) => ({
      params: { carId },
      body: { ...describeCar.body.parse(wireOf(typed)), version },
    })),
  )
  const takeOver = () => {
    updateUntouched(form, typedOf(decision.read), typedOf(car))
    clearError()
  }
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <Text size="sm" c="dimmed">
          {texts.lead}
        </Text>
        {detailNames.map((name) => {
          const Input = inputs[name]
          const { label, question = label, hint } = detailTexts[name]
          return <Input key={name} label={question} description={hint} {...form.getInputProps(name)} />
        })}
        <DecisionChanges
          decision={decision}
          changed={texts.changed}
          goOn={texts.takeOver}
          onGoOn={takeOver}
          error={trouble}
        />
        <Group justify="flex-end" gap="sm">
          <FormActions
            onCancel={onClose}
            busy={saving.isWorking}
            working={texts.saving}
            disabled={!decision.mayDecide}
          >
            {texts.save}
          </FormActions>
        </Group>
      </Stack>
    </form>
  )
}

const typedOf = (car: OptionalDetails): Typed =>
  Object.fromEntries(detailNames.map((name) => [name, car[name] ?? ''])) as Typed

/** The server clears a detail that is omitted. */
const wireOf = (typed: Typed) => Object.fromEntries(Object.entries(typed).filter(([, value]) => value !== ''))

/** In the meantime, a photo may have been added or the price changed. */
const currentIn = (refusal: unknown): Car | undefined =>
  hasErrorCode(refusal, describeCar, 'StaleVersion') && refusal instanceof ApiError
    ? wireCar.safeDecode(refusal.current as never).data
    : undefined

const newsOfDetails = (before: Car, after: Car) => changesBetween(factsOf(before), factsOf(after))

const factsOf = (car: OptionalDetails) =>
  detailNames.map((name) => {
    const { label, options } = detailTexts[name]
    const value = car[name] ?? ''
    return { label, value: options?.[value] ?? (String(value) || texts.unsaid) }
  })
