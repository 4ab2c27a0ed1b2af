//! How folders that are tables travel to the scheduler and to executors. All else travels as Ballista sends it.

use std::sync::Arc;

use ballista_core::serde::{BallistaLogicalExtensionCodec, BallistaPhysicalExtensionCodec};
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::catalog::TableProvider;
use datafusion::common::{Result, TableReference, plan_datafusion_err};
use datafusion::datasource::file_format::FileFormatFactory;
use datafusion::execution::TaskContext;
use datafusion::logical_expr::{Extension, LogicalPlan};
use datafusion::physical_plan::ExecutionPlan;
use datafusion_proto::logical_plan::LogicalExtensionCodec;
use datafusion_proto::physical_plan::{PhysicalExtensionCodec, PhysicalProtoConverterExtension};
use sectile_datafusion::{FilesScan, FilesTable};

/// What begins with it is ours. No message of Ballista does: its bytes are a field that none has.
const MARK: &[u8] = b"sectile files ";

/// Sends tables.
#[derive(Debug, Default)]
pub(crate) struct Tables(BallistaLogicalExtensionCodec);

impl LogicalExtensionCodec for Tables {
    fn try_decode(
        &self,
        bytes: &[u8],
        inputs: &[LogicalPlan],
        context: &TaskContext,
    ) -> Result<Extension> {
        self.0.try_decode(bytes, inputs, context)
    }

    fn try_encode(&self, node: &Extension, bytes: &mut Vec<u8>) -> Result<()> {
        self.0.try_encode(node, bytes)
    }

    fn try_decode_table_provider(
        &self,
        bytes: &[u8],
        name: &TableReference,
        schema: SchemaRef,
        context: &TaskContext,
    ) -> Result<Arc<dyn TableProvider>> {
        let Some(address) = bytes.strip_prefix(MARK) else {
            return self
                .0
                .try_decode_table_provider(bytes, name, schema, context);
        };
        let address = std::str::from_utf8(address)
            .map_err(|error| plan_datafusion_err!("the address of the table {name}: {error}"))?;
        Ok(Arc::new(FilesTable::new(address)?))
    }

    fn try_encode_table_provider(
        &self,
        name: &TableReference,
        table: Arc<dyn TableProvider>,
        bytes: &mut Vec<u8>,
    ) -> Result<()> {
        let Some(files) = table.downcast_ref::<FilesTable>() else {
            return self.0.try_encode_table_provider(name, table, bytes);
        };
        bytes.extend_from_slice(MARK);
        bytes.extend_from_slice(files.address().as_bytes());
        Ok(())
    }

    fn try_decode_file_format(
        &self,
        bytes: &[u8],
        context: &TaskContext,
    ) -> Result<Arc<dyn FileFormatFactory>> {
        self.0.try_decode_file_format(bytes, context)
    }

    fn try_encode_file_format(
        &self,
        bytes: &mut Vec<u8>,
        format: Arc<dyn FileFormatFactory>,
    ) -> Result<()> {
        self.0.try_encode_file_format(bytes, format)
    }
}

/// Sends plans.
#[derive(Debug, Default)]
pub(crate) struct Plans(BallistaPhysicalExtensionCodec);

impl PhysicalExtensionCodec for Plans {
    fn try_decode(
        &self,
        bytes: &[u8],
        inputs: &[Arc<dyn ExecutionPlan>],
        context: &TaskContext,
        converter: &dyn PhysicalProtoConverterExtension,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        match bytes.strip_prefix(MARK) {
            Some(scan) => Ok(Arc::new(FilesScan::from_bytes(scan, inputs)?)),
            None => self.0.try_decode(bytes, inputs, context, converter),
        }
    }

    fn try_encode(
        &self,
        node: Arc<dyn ExecutionPlan>,
        bytes: &mut Vec<u8>,
        converter: &dyn PhysicalProtoConverterExtension,
    ) -> Result<()> {
        let Some(scan) = node.downcast_ref::<FilesScan>() else {
            return self.0.try_encode(node, bytes, converter);
        };
        bytes.extend_from_slice(MARK);
        bytes.extend(scan.to_bytes()?);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use datafusion::physical_plan::displayable;
    use datafusion::prelude::SessionContext;
    use datafusion_proto::physical_plan::DefaultPhysicalProtoConverter;

    use super::*;

    #[tokio::test]
    async fn folders_arrive_as_they_were_sent() {
        let folder = tempfile::tempdir().expect("there is a folder");
        std::fs::write(folder.path().join("a b.md"), "# A\n").expect("it is written");
        let context = SessionContext::new();
        let task = context.task_ctx();
        let table = FilesTable::new(&folder.path().display().to_string());
        let table: Arc<dyn TableProvider> = Arc::new(table.expect("it is a folder"));
        let (codec, name) = (Tables::default(), TableReference::bare("files"));
        let mut bytes = Vec::new();
        let sent = codec.try_encode_table_provider(&name, Arc::clone(&table), &mut bytes);
        sent.expect("it is sent");
        let arrived = codec.try_decode_table_provider(&bytes, &name, table.schema(), &task);
        let arrived = arrived.expect("it arrives");
        let state = context.state();
        let plan = arrived.scan(&state, Some(&vec![1, 5]), &[], Some(3)).await;
        let plan = plan.expect("it is planned");

        let (codec, converter) = (Plans::default(), DefaultPhysicalProtoConverter {});
        let mut bytes = Vec::new();
        let sent = codec.try_encode(Arc::clone(&plan), &mut bytes, &converter);
        sent.expect("it is sent");
        let inputs: Vec<_> = plan.children().into_iter().cloned().collect();
        let arrived = codec.try_decode(&bytes, &inputs, &task, &converter);
        let arrived = arrived.expect("it arrives");
        let shown = |plan: &Arc<dyn ExecutionPlan>| displayable(&**plan).indent(true).to_string();
        assert_eq!(shown(&arrived), shown(&plan));
        let rows = datafusion::physical_plan::collect(arrived, task).await;
        let rows = rows.expect("the file is read");
        assert_eq!((rows[0].num_rows(), rows[0].num_columns()), (1, 2));
    }
}
