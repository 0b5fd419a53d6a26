// A separate task in `forms.ts`: the schemas of the fields.
import '../../api/no-eval.ts'
import '@keyturn/contract/shared/fields.ts'
