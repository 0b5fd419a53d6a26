import { type Car, describeCar, car as wireCar } from '@keyturn/contract/cars/endpoints.ts'
import { type TitleHolder, titleHolders } from '@keyturn/contract/cars/rules.ts'
import { carTexts } from '@keyturn/contract/cars/texts.ts'
import { ApiError } from '@keyturn/contract/shared/error.ts'
import { Group, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { hasErrorCode } from '../../../../api/errors.ts'
import { changesOf } from '../../../../api/mutations/changes.ts'
import { DecisionNews } from '../../../../api/mutations/decision-news.tsx'
import { useDecision } from '../../../../api/mutations/use-decision.ts'
import { useEndpointMutation } from '../../../../api/mutations/use-endpoint-mutation.ts'
import { useFormMutation } from '../../../../api/mutations/use-form-mutation.ts'
import { useDraft } from '../../../../auth/use-draft.ts'
import { FormActions } from '../../../../components/feedback/form-actions.tsx'
import { formOptions, updateUntouched, validatorOf } from '../../../../components/fields/form.ts'
import type { TypedNumber } from '../../../../components/fields/number-text.ts'
import { SelectField } from '../../../../components/fields/select-field.tsx'
import { TextAreaField } from '../../../../components/fields/text-field.tsx'
import { WholeNumberField } from '../../../../components/fields/whole-number-field.tsx'

const { words: texts, facts } = carTexts

type Typed = { description: string; condition: string; owners: TypedNumber; titleHolder: TitleHolder | '' }

/** Edits the seller's description of the car as one form (R-cars-29). */
export function WordsForm({ car, onClose }: { car: Car; onClose: () => void }) {
  const saving = useEndpointMutation(describeCar, {
    refresh: [['cars'], ['deals']],
    success: texts.saved,
    onDone: onClose,
  })
  const decision = useDecision({ by: saving, current: car, newsOf: newsOfWords, currentIn })
  const form = useForm<Typed>({
    ...formOptions(describeCar.body, typedOf(car)),
    validate: (typed) => validatorOf(describeCar.body)(wireOf(typed)),
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
        <TextAreaField
          label={texts.description}
          maxLength={1000}
          data-autofocus
          autoFocus
          {...form.getInputProps('description')}
        />
        <TextAreaField
          label={texts.condition}
          description={texts.conditionHint}
          minRows={2}
          maxLength={300}
          {...form.getInputProps('condition')}
        />
        <WholeNumberField label={texts.owners} {...form.getInputProps('owners')} />
        <SelectField
          label={texts.titleHolder}
          options={[
            { value: '', label: texts.holderUnsaid },
            ...titleHolders.map((value) => ({ value, label: texts.holders[value] })),
          ]}
          {...form.getInputProps('titleHolder')}
        />
        <DecisionNews
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

const typedOf = ({ description, condition, owners, titleHolder }: Car): Typed => ({
  description,
  condition,
  owners: owners ?? '',
  titleHolder: titleHolder ?? '',
})

const wireOf = ({ owners, titleHolder, ...said }: Typed) => ({
  ...said,
  owners: owners === '' ? null : owners,
  titleHolder: titleHolder || null,
})

/** A photo may have been added in the meantime, or the price changed. */
const currentIn = (refusal: unknown): Car | undefined =>
  hasErrorCode(refusal, describeCar, 'StaleVersion') && refusal instanceof ApiError
    ? wireCar.safeDecode(refusal.current as never).data
    : undefined

const newsOfWords = (before: Car, after: Car) => changesOf(factsOf(before), factsOf(after))

const factsOf = ({ description, condition, owners, titleHolder }: Car) => [
  { label: texts.description, value: description || texts.unsaid },
  { label: texts.condition, value: condition || texts.unsaid },
  { label: texts.owners, value: owners === null ? texts.unsaid : String(owners) },
  { label: facts.titleHolder, value: titleHolder ? texts.holders[titleHolder] : texts.holderUnsaid },
]
