import { carTexts } from '@keyturn/contract/cars/texts.ts'
import { Button, Group } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { TextField } from '../../components/fields/text-field.tsx'
import { currentLookUp, type FilledField, findOutdatedFields, type VinValues } from './vin-values.ts'

const texts = carTexts.add

/** Returns the properties of a field whose value may belong to an earlier VIN. */
export const outdatedFieldProps = (values: VinValues, name: FilledField) => ({
  description: findOutdatedFields(values).includes(name) ? texts.earlierVin : undefined,
  inputWrapperOrder: noteLast,
})

type TrimFieldProps<Values> = { label: string; form: UseFormReturnType<Values> }

/** Lets the person choose the trim where the VIN does not determine it. */
export function TrimField<Values extends VinValues>({ label, form }: TrimFieldProps<Values>) {
  const { value, ...field } = form.getInputProps('trim')
  const found = currentLookUp(form.values)
  const trims = found?.trims ?? []
  const isUnknown = found !== null && found.trim === '' && value === ''
  const mark = outdatedFieldProps(form.values, 'trim')
  return (
    <div>
      <TextField
        label={label}
        maxLength={64}
        value={value}
        {...field}
        {...mark}
        description={trims.length > 0 ? texts.trimChoice : isUnknown ? texts.trimUnknown : mark.description}
      />
      {trims.length > 0 && (
        <Group gap={6} mt={8} role="group" aria-label={texts.trimChoice}>
          {trims.map((trim) => (
            <Button
              key={trim}
              size="sm"
              variant={trim === value ? 'filled' : 'default'}
              aria-pressed={trim === value}
              onClick={() => form.setFieldValue('trim', trim as never)}
            >
              {trim}
            </Button>
          ))}
        </Group>
      )}
    </div>
  )
}

const noteLast: ('label' | 'input' | 'error' | 'description')[] = ['label', 'input', 'error', 'description']
