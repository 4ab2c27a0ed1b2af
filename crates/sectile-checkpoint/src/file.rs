pub struct FileCheckpointer;
