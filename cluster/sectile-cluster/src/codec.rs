//! How folders and stores that are tables travel to the scheduler and to executors. All else travels as Ballista sends it.

use std::sync::Arc;

use ballista_core::serde::{BallistaLogicalExtensionCodec, BallistaPhysicalExtensionCodec};
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::catalog::TableProvider;
use datafusion::common::{Result, TableReference, plan_datafusion_err, plan_err};
use datafusion::datasource::file_format::FileFormatFactory;
use datafusion::execution::TaskContext;
use datafusion::logical_expr::{Extension, LogicalPlan};
use datafusion::physical_plan::ExecutionPlan;
use datafusion_proto::logical_plan::LogicalExtensionCodec;
use datafusion_proto::physical_plan::{PhysicalExtensionCodec, PhysicalProtoConverterExtension};
use sectile_datafusion::{FilesTable, ListedScan, StoreTable};

/// What begins with this is ours. No message of Ballista does: its bytes are a field that none has.
const OURS: &[u8] = b"sectile ";

/// What tables begin with, and what plans do, whose number changes with what follows.
const FILES: &[u8] = b"sectile files ";
const STORE: &[u8] = b"sectile store ";
const SCAN: &[u8] = b"sectile scan 2 ";

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
        if let Some(store) = bytes.strip_prefix(STORE) {
            return Ok(Arc::new(StoreTable::from_bytes(store)?));
        }
        let Some(address) = bytes.strip_prefix(FILES) else {
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
        if let Some(files) = table.downcast_ref::<FilesTable>() {
            bytes.extend_from_slice(FILES);
            bytes.extend_from_slice(files.address().as_bytes());
        } else if let Some(store) = table.downcast_ref::<StoreTable>() {
            bytes.extend_from_slice(STORE);
            bytes.extend(store.to_bytes()?);
        } else {
            return self.0.try_encode_table_provider(name, table, bytes);
        }
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
        match bytes.strip_prefix(SCAN) {
            Some(scan) => Ok(Arc::new(ListedScan::from_bytes(scan, inputs)?)),
            None if bytes.starts_with(OURS) => plan_err!(
                "another version of sectile-cluster sent this plan; run the same version on all machines of the cluster"
            ),
            None => self.0.try_decode(bytes, inputs, context, converter),
        }
    }

    fn try_encode(
        &self,
        node: Arc<dyn ExecutionPlan>,
        bytes: &mut Vec<u8>,
        converter: &dyn PhysicalProtoConverterExtension,
    ) -> Result<()> {
        let Some(scan) = node.downcast_ref::<ListedScan>() else {
            return self.0.try_encode(node, bytes, converter);
        };
        bytes.extend_from_slice(SCAN);
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
        let table = FilesTable::new(&folder.path().display().to_string());
        assert_arrives(Arc::new(table.expect("it is a folder")), vec![1, 5]).await;
    }

    #[tokio::test]
    async fn stores_arrive_as_they_were_sent() {
        let folder = tempfile::tempdir().expect("there is a folder");
        let file = folder.path().join("a.md");
        std::fs::write(&file, "# A\n").expect("it is written");
        let address = format!("sqlite:{}", folder.path().join("library.db").display());
        let library = sectile::Library::open(&address)
            .await
            .expect("it is opened");
        let ingested = library.ingest("default", &[file], &|_| ()).await;
        assert_eq!(ingested.expect("it is read").added, 1);
        let table = StoreTable::at(&address, Some("default"));
        assert_arrives(Arc::new(table), vec![1, 4]).await;
        // What another process cannot open is not sent.
        let table = StoreTable::new(Arc::new(library), sectile::Scope::all());
        let (codec, name) = (Tables::default(), TableReference::bare("documents"));
        let refused = codec.try_encode_table_provider(&name, Arc::new(table), &mut Vec::new());
        assert!(refused.is_err());
    }

    #[test]
    fn plans_of_other_versions_are_refused() {
        let (codec, converter) = (Plans::default(), DefaultPhysicalProtoConverter {});
        let task = SessionContext::new().task_ctx();
        for bytes in [
            &b"sectile store [\"sqlite:a.db\",null]"[..],
            b"sectile scan 1 ",
        ] {
            let refused = codec.try_decode(bytes, &[], &task, &converter);
            let refused = refused.expect_err("it is of another version").to_string();
            assert!(refused.contains("the same version"), "{refused}");
        }
    }

    /// Asserts that a table of one row is read where it arrives, and its plan where that does.
    async fn assert_arrives(table: Arc<dyn TableProvider>, columns: Vec<usize>) {
        let context = SessionContext::new();
        let task = context.task_ctx();
        let (codec, name) = (Tables::default(), TableReference::bare("table"));
        let mut bytes = Vec::new();
        let sent = codec.try_encode_table_provider(&name, Arc::clone(&table), &mut bytes);
        sent.expect("it is sent");
        let arrived = codec.try_decode_table_provider(&bytes, &name, table.schema(), &task);
        let arrived = arrived.expect("it arrives");
        let state = context.state();
        let plan = arrived.scan(&state, Some(&columns), &[], Some(3)).await;
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
        let rows = rows.expect("it is read");
        assert_eq!((rows[0].num_rows(), rows[0].num_columns()), (1, 2));
    }
}
